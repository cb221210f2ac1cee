/** The sixteen names that `workspace.action set_color` takes besides #rrggbb, with the colours we show for them. */
export const NAMED_COLOURS: Readonly<Record<string, string>> = {
  red: '#E5484D',
  crimson: '#C2185B',
  orange: '#F76B15',
  amber: '#FFB224',
  olive: '#8A8D0F',
  green: '#30A46C',
  teal: '#12A594',
  aqua: '#05A2C2',
  blue: '#0091FF',
  navy: '#1E3A8A',
  indigo: '#3E63DD',
  purple: '#8E4EC6',
  magenta: '#D6409F',
  rose: '#F43F5E',
  brown: '#AD7F58',
  charcoal: '#4B5563',
};

const HEX = /^#[0-9a-f]{6}$/i;

/** `#RRGGBB` for a name (any case) or a hex colour; undefined if it is neither. */
export function parseColour(text: string): string | undefined {
  const name = text.toLowerCase();
  if (Object.hasOwn(NAMED_COLOURS, name)) return NAMED_COLOURS[name];
  return HEX.test(text) ? text.toUpperCase() : undefined;
}

import type { Result } from '@switchyard/protocol';

type Node = Result<'layout.get'>['layout'];
type Surface = NonNullable<Node['pane']>['surfaces'][number];

const HALF = 0.5;

/** A layout as an indented list: splits with their shares, panes with their terminals. Not cleaned. */
export function layoutLines(node: Node, indent = ''): string[] {
  if (node.pane !== undefined) {
    return [`${indent}pane`, ...node.pane.surfaces.map((surface) => `${indent}  ${surfaceText(surface)}`)];
  }
  const share = Math.round((node.split ?? HALF) * 100);
  const how = node.direction === 'vertical' ? 'one above the other' : 'side by side';
  const children = (node.children ?? []) as Node[];
  return [
    `${indent}${how}, ${share}% and ${100 - share}%`,
    ...children.flatMap((child) => layoutLines(child, `${indent}  `)),
  ];
}

function surfaceText({ type, name, cwd, command, argv, agent, focus }: Surface): string {
  const runs = [
    ...(agent === undefined ? [] : [`agent ${[agent.kind, ...(agent.args ?? [])].join(' ')}`]),
    ...(agent?.name === undefined ? [] : [`called ${agent.name}`]),
    ...(argv === undefined ? [] : [`runs ${argv.join(' ')}`]),
    ...(command === undefined ? [] : [`types ${command}`]),
  ];
  const facts = [...(cwd === undefined ? [] : [`in ${cwd}`]), ...runs, ...(focus === true ? ['focused'] : [])];
  return [`${type}${name === undefined ? '' : ` ${name}`}`, ...facts].join(', ');
}

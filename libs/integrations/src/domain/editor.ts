/**
 * Whether our part is in a file, and whether it is what would be written today. `theirs`: a person has it so already, and
 * nothing of ours is needed.
 */
export type Found = 'current' | 'outdated' | 'missing' | 'theirs';

/** How our part is put into one file of an agent and taken out again. Pure: text in, text out. */
export interface FileEditor {
  /** @throws BrokenConfig */
  find(text: string): Found;
  /**
   * The text with our part as it is written today; an older one is replaced.
   *
   * @param text null: there is no such file
   * @throws BrokenConfig when it cannot be done without harm
   */
  add(text: string | null): string;
  /**
   * The text without our part, everything else as it is.
   *
   * @param original what the file held before we came, as far as known: what it had, empty or not, is kept
   * @throws BrokenConfig
   */
  remove(text: string, original?: string | null): string;
  /** Nothing is left but what a file of ours begins with: without our part there would be no file. */
  isBlank(text: string): boolean;
  /** What a person should know about the rest of the file. */
  remarks?(text: string): readonly string[];
}

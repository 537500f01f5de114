/**
 * Folders and names that do not keep a rule yet, by rule. One leaves its list with the change that mends it; a test fails for
 * an entry that is no longer needed, so that the lists only get shorter.
 */
export const UNFINISHED = {
  folderSizes: [],
  crumbs: [],
  dashboardKit: [],
  words: [],
  stems: [],
  sentences: [],
  names: [],
} as const satisfies Record<string, readonly string[]>;

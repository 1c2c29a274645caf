/** Trims tags and removes empty and repeated ones. */
export function tidyTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map(tag => tag.trim()).filter(tag => tag !== ''))]
}

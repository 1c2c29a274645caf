/** Tags without surrounding blanks, without empty ones, and each once. */
export function tidyTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map(tag => tag.trim()).filter(tag => tag !== ''))]
}

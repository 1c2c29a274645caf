/** True if a text inserts the placeholder: `{{ module.imprint }}`, and not `{{ module.imprint2 }}`. */
export function usesModule(text: string, token: string): boolean {
  return new RegExp(`\\{\\{-?\\s*module\\.${token}(?![\\w-])`, 'i').test(text)
}

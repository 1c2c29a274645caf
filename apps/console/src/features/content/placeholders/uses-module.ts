/**
 * True if a text inserts the placeholder: `{{ module.imprint }}`, and not `{{ module.imprint2 }}`; or if it reads its
 * data: `{{ data.shop.name }}`, `{% for post in data.news %}`.
 */
export function usesModule(text: string, token: string): boolean {
  return (
    new RegExp(`\\{\\{-?\\s*module\\.${token}(?![\\w-])`, 'i').test(text) ||
    new RegExp(`\\{[{%][^{}]{0,500}\\bdata\\.${token}(?![\\w-])`).test(text)
  )
}

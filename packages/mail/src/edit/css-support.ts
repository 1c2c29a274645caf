/** CSS of a template that mail programs of many people ignore. */
export interface UnsupportedCss {
  /** Property, or value such as `var()`. */
  css: string
  /** Names of the mail programs, most used first. */
  programs: readonly string[]
}

const gmail = ['Gmail', 'Outlook (Windows)', 'Yahoo']
const most = ['Gmail', 'Outlook', 'Yahoo']

interface Rule {
  property: RegExp
  /** Any value if missing. */
  value?: RegExp
  /** What is shown instead of the property. */
  css?: string
  programs: readonly string[]
}

/**
 * Support by caniemail.com (May 2026): what Gmail and others ignore, and what changes the layout. Decoration that is
 * merely missing (animations, shadows, rounded corners) is no finding.
 */
const rules: readonly Rule[] = [
  {
    property: /^position$/,
    value: /^(?:absolute|fixed|sticky)\b/,
    programs: ['Gmail', 'Outlook (Windows, iOS)'],
  },
  { property: /^(?:align-items|justify-content|flex-wrap|flex-direction)$/, programs: gmail },
  { property: /^grid-template/, programs: most },
  {
    property: /^(?:aspect-ratio|inset|transform|clip-path|filter|mask-image|shape-outside)$/,
    programs: most,
  },
  { property: /^(?:margin|padding)-(?:inline|block)/, programs: most },
  { property: /^--/, css: 'var()', programs: most },
  { property: /./, value: /\bvar\(/, css: 'var()', programs: most },
  {
    property: /./,
    value: /\b(?:lch|oklch|lab|oklab|light-dark)\(/,
    css: 'oklch(), light-dark()',
    programs: most,
  },
  { property: /./, value: /\bconic-gradient\(/, css: 'conic-gradient()', programs: most },
]

/** Finds each once, in document order: declarations of a `style` attribute, or rules of a style sheet. */
export function findUnsupportedCss(text: string): UnsupportedCss[] {
  const found = new Map<string, UnsupportedCss>()
  for (const piece of text.split(/[;{}]/)) {
    const colon = piece.indexOf(':')
    const property = piece.slice(0, Math.max(0, colon)).trim().toLowerCase()
    const value = piece
      .slice(colon + 1)
      .trim()
      .toLowerCase()
    for (const rule of colon < 0 ? [] : rules) {
      if (!rule.property.test(property) || rule.value?.test(value) === false) continue
      const css = rule.css ?? property
      if (!found.has(css)) found.set(css, { css, programs: rule.programs })
    }
  }
  return [...found.values()]
}

/**
 * Decodes the entities that occur in URLs and link names. In attribute values, HTML decodes a named entity only if it
 * ends in ";" (or is not followed by "=" or a letter), so `?a=1&copy=2` stays unchanged; numeric ones are decoded
 * without ";" too, which can hide a scheme from simpler parsers.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(
    /&(?:#0{0,20}(\d{1,7});?|#x0{0,20}([\da-f]{1,6});?|([a-z]{2,7});)/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named[name] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : '\ufffd'
    },
  )
}

const named: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  colon: ':',
  sol: '/',
  Tab: '\t',
  NewLine: '\n',
  zwnj: '\u200c',
  zwj: '\u200d',
  shy: '\u00ad',
  copy: '©',
  reg: '®',
  trade: '™',
  euro: '€',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  bull: '•',
  laquo: '«',
  raquo: '»',
  rarr: '→',
  larr: '←',
  lpar: '(',
  rpar: ')',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  ntilde: 'ñ',
}

/** Escapes a text for a quoted attribute. The caller handles Liquid in it. */
export function escapeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

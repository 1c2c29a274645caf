export interface RefusedWord {
  word: string
  /** Replacement in the glossary. */
  use: string
  pattern: RegExp
}

/** Parses the glossary's table: `| use | for | not |`, with the refused words in backquotes. */
export function refusedWords(document: string): RefusedWord[] {
  const [, glossary = ''] = document.split('\n## Words\n')
  return glossary
    .split('\n')
    .filter(line => line.startsWith('| ') && !line.startsWith('| use |'))
    .flatMap(line => {
      const [, use = '', , refused = ''] = line.split('|').map(cell => cell.trim())
      return [...refused.matchAll(/`([^`]+)`/g)].map(([, word = '']) => ({
        word,
        use,
        pattern: patternOf(word),
      }))
    })
}

/** Plain words match in any case and as parts of names; names match exactly. */
function patternOf(word: string): RegExp {
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  if (!/^[a-z]+$/.test(word)) return new RegExp(String.raw`\b${escaped}\b`)
  const capital = `${word.charAt(0).toUpperCase()}${word.slice(1)}`
  return new RegExp(String.raw`\b${word}(?![a-z])|(?<=[a-z0-9_])${capital}(?![a-z])|\b${capital}(?![a-z])`)
}

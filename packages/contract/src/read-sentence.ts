export interface SentenceRead<Code extends string> {
  code: Code
  values: Record<string, string>
}

/**
 * Creates a parser for texts generated from a table: code → template with values in braces. The first match wins.
 *
 * @returns a function that returns null for a text that matches no template
 */
export function sentenceReader<Code extends string>(
  table: Readonly<Record<Code, string>>,
): (text: string) => SentenceRead<Code> | null {
  const patterns = codesOf(table).map(code => ({ code, pattern: patternOf(table[code]) }))
  return text => {
    for (const { code, pattern } of patterns) {
      const found = pattern.exec(text)
      if (found) return { code, values: { ...found.groups } }
    }
    return null
  }
}

function codesOf<Code extends string>(table: Readonly<Record<Code, string>>): Code[] {
  return Object.keys(table).filter((key): key is Code => key in table)
}

function patternOf(sentence: string): RegExp {
  const words = sentence.split(/(\{\w+\})/).map(word => {
    const name = /^\{(\w+)\}$/.exec(word)?.[1]
    return name === undefined ? word.replaceAll(/[.*+?^$(){}|[\]\\]/g, String.raw`\$&`) : `(?<${name}>.*?)`
  })
  return new RegExp(`^${words.join('')}$`, 's')
}

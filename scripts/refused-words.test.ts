import { expect, test } from 'vitest'
import { refusedWords } from './refused-words.ts'

const glossary = `# Title

## Words

| use | for | not |
|---|---|---|
| installation | one EMMA | \`house\` |
| reply rules | rules | \`ReplyDesk\`, \`actOnReplies\` |
`

test('the glossary refuses plain words in every name and case, and names exactly', () => {
  const refused = refusedWords(glossary)
  const wordsIn = (text: string) =>
    refused.filter(({ pattern }) => pattern.test(text)).map(({ word }) => word)
  expect(refused.map(({ use }) => use)).toEqual(['installation', 'reply rules', 'reply rules'])
  expect(wordsIn('the house')).toEqual(['house'])
  expect(wordsIn('fillHouse(houseOf)')).toEqual(['house'])
  expect(wordsIn('House of')).toEqual(['house'])
  expect(wordsIn('warehouse, household, WAREHOUSE')).toEqual([])
  expect(wordsIn('new ReplyDesk()')).toEqual(['ReplyDesk'])
  expect(wordsIn('replyDesk')).toEqual([])
})

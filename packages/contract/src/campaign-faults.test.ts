import { expect, test } from 'vitest'
import { campaignFaults, faultText, readFaults } from './campaign-faults.ts'

test.each(Object.entries(campaignFaults))(
  'R316 %s is read back from its sentence with its values',
  (code, text) => {
    const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const values = Object.fromEntries(names.map(name => [name, `(${name}) of $& {a.b} “x”`]))
    const stored = text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
    expect(readFaults(stored)).toEqual([{ code, values }])
  },
)

test('R316 what a server said stays whole, however many lines it has', () => {
  const reply = '421-4.3.2 busy\n421 4.3.2 come again'
  const stored = faultText('next_hop', { reply })
  expect(stored).toBe(`The next hop of the mail class takes no mail; it is asked again and again. ${reply}`)
  expect(readFaults(stored)).toEqual([{ code: 'next_hop', values: { reply } }])
})

test('R316 faults of the content are read one a line; what nobody knows is none', () => {
  expect(readFaults('subject, line 1, column 2: one\nhtml, line 3, column 4: two')).toEqual([
    { code: 'content', values: { part: 'subject', line: '1', column: '2', fault: 'one' } },
    { code: 'content', values: { part: 'html', line: '3', column: '4', fault: 'two' } },
  ])
  expect(readFaults('The moon is in the way')).toBeNull()
})

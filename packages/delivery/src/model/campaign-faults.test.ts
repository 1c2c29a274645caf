import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { campaignFaults, readFaults } from '@emma/contract/campaign-faults.ts'
import { expect, test } from 'vitest'

/** Every place of delivery and mail that makes an error whose words become a campaign's, with what it makes it of. */
const packages = join(import.meta.dirname, '..', '..', '..')
const created = globSync('{delivery,mail}/src/**/*.ts', { cwd: packages })
  .filter(path => !path.includes('.test.') && !path.includes('.it.'))
  .flatMap(path =>
    [
      ...readFileSync(join(packages, path), 'utf8').matchAll(
        /new (?:CampaignFault|TransportFault|HeaderError|DkimKeyError)\(\s*('[^']+'|`[^`]+`|[\w.]+\(?)/g,
      ),
    ].map(([, words = '']) => ({ path, words })),
  )

test('R316 every fault of a campaign is in the list that the console has words for', () => {
  expect(created.length).toBeGreaterThan(20)
  expect(created.filter(({ words }) => codeOf(words) === null && !isListed(words))).toEqual([])
})

test('R316 mail, which knows no contract, says its faults in the words of the list', () => {
  const codes = created.map(({ words }) => codeOf(words)).filter(code => code !== null)
  const listed = Object.keys(campaignFaults).filter(code => /^(?:header|dkim)_/.test(code))
  expect([...new Set(codes)].toSorted()).toEqual(listed.toSorted())
})

function isListed(words: string): boolean {
  return /^(?:campaignFaults\.\w+|faultText\(|fault)$/.test(words)
}

function codeOf(words: string): string | null {
  if (!/^['`]/.test(words)) return null
  const [fault] = readFaults(words.slice(1, -1).replaceAll(/\$\{[^}]*\}/g, 'Name')) ?? []
  return fault?.code ?? null
}

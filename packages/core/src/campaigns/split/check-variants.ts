import { fault, reasonOf } from '@emma/contract/faults.ts'
import { variantLetter } from '@emma/contract/split.ts'
import type { Db } from '@emma/db/connection.ts'
import type { Compiler } from '../../content/compile-message.ts'
import type { Campaign } from '../campaign-operations.ts'
import { type CheckedContent, checkMessage } from '../check-message.ts'
import { checkRoute } from '../check-route.ts'
import type { BlockingFinding } from '../finding.ts'
import { variantsOf } from './variants.ts'

/**
 * Checks message and sender of the further variants of an A/B test.
 * @param first what was found in the first one, which is not repeated
 */
export async function checkVariants(
  db: Db,
  campaign: Campaign,
  compiler: Compiler,
  first: CheckedContent,
): Promise<CheckedContent[]> {
  const [, ...others] = variantsOf(campaign)
  const known = new Set(first.findings.map(nameOf))
  const checked: CheckedContent[] = []
  for (const [index, settings] of others.entries()) {
    const variant = { ...campaign, ...settings }
    const senders = await checkRoute(db, variant)
    const { findings, shown } = await checkMessage(db, variant, compiler)
    const own = [
      ...senders.filter(({ field }) => ofVariant.has(field)).map(finding => ({ ...finding, blocks: true })),
      ...findings.filter(finding => !known.has(nameOf(finding))),
    ]
    checked.push({ findings: own.map(finding => inVariant(variantLetter(index + 1), finding)), shown })
  }
  return checked
}

function nameOf({ reason, values }: BlockingFinding): string {
  return JSON.stringify([reason, values])
}

/** Fields of the sender that variants may have of their own. */
const ofVariant = new Set(['fromadr', 'reply_to'])

function inVariant(variant: string, finding: BlockingFinding): BlockingFinding {
  const { reason: code, values, message } = finding
  const reason = reasonOf(fault('campaign.in_variant', { variant, fault: { code, values, message } }))
  return { ...finding, ...reason, field: 'split' }
}

/** Warns about a sample in which no difference can be seen. */
export function checkSample({ split }: Campaign, recipients: number): BlockingFinding[] {
  if (!split || split.variants.length === 0 || recipients === 0) return []
  const variants = split.variants.length + 1
  const invited = recipients * (1 - split.holdout_percent / 100)
  const members = Math.floor((invited * split.sample_percent) / 100 / variants)
  if (members >= SMALLEST_SAMPLE) return []
  const reason = reasonOf(fault('campaign.small_sample', { members }))
  return [{ code: 'small_sample', field: 'split', ...reason, blocks: false }]
}

/** Recipients per variant, below which only a very large difference is more than chance. */
const SMALLEST_SAMPLE = 500

import { campaignType } from '@emma/contract/campaign-states.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { fault, type Fault } from '@emma/contract/faults.ts'
import { placementHeader } from '@emma/contract/placements.ts'
import { readTestRecipients, readTestSettings } from '@emma/core/campaigns/test-settings.ts'
import {
  type ClaimedCheck,
  failCheck,
  recordHandOver,
} from '@emma/core/deliverability/placement/send-checks.ts'
import { faultOf, isFault } from './engine/hold-campaign.ts'
import { snapshotMessage } from './model/campaign-snapshot.ts'
import { readSnapshot } from './engine/running-campaigns.ts'
import { asTest, sendToEach, type SingleSender } from './send-test.ts'

/**
 * Sends one mail to each mailbox of a placement check, without a word of a test in it: a campaign's mail is the one its
 * recipients get. Links of a campaign that never started, and of a template, are not tracked.
 */
export async function sendPlacementCheck(sender: SingleSender, check: ClaimedCheck): Promise<void> {
  const { db } = sender
  const { clientId, mailboxes } = check
  const byAddress = new Map(mailboxes.map(({ email, loginId }) => [email.toLowerCase(), loginId]))
  try {
    const { snapshot, recipients, espId } = await contentOf(sender, check)
    const route = { clientId, campaign: null, mailclassId: check.mailclassId, espId, recipients }
    const header = `${placementHeader}: ${check.token}\r\n`
    for (const { email, outcome, reply } of await sendToEach(sender, snapshot, route, {
      languages: 'default',
      header,
    })) {
      const loginId = byAddress.get(email.toLowerCase())
      if (loginId !== undefined) await recordHandOver(db, check, { loginId, outcome, reply })
    }
  } catch (error) {
    await failCheck(db, check, reasonOf(error))
    if (!isFault(error)) throw error
  }
}

async function contentOf({ db, trackingBaseOf }: SingleSender, check: ClaimedCheck) {
  const { clientId, campaignId, messageId, domainId } = check
  const request = {
    message_id: messageId,
    campagne_id: campaignId,
    domain_id: domainId,
    emails: check.mailboxes.map(({ email }) => email),
    member_id: 0,
    subject_prefix: '',
  }
  const [recipients, settings] = await Promise.all([
    readTestRecipients(db, clientId, request),
    readTestSettings(db, clientId, request),
  ])
  const { espId } = settings
  const started = campaignId === null ? null : await readSnapshot(db, { clientId, campaignId })
  if (started && started.message.id === messageId && started.domain.id === domainId)
    return { snapshot: started, recipients, espId }
  const campaign = { id: campaignId ?? 0, name: settings.campaign?.name ?? 'Test', type: campaignType.ipci }
  const [variant] = settings.variants
  if (!variant) throw new Error('Settings have at least one variant.')
  const sending = { ...settings, ...variant, mailclassId: check.mailclassId }
  const draft = await snapshotMessage(db, clientId, campaign, messageId, sending, trackingBaseOf)
  return { snapshot: asTest(draft, ''), recipients, espId }
}

function reasonOf(error: unknown): Fault {
  const [field] = error instanceof EmmaError ? error.fields : []
  if (field)
    return { code: field.code, message: field.message, ...(field.values && { values: field.values }) }
  return isFault(error) ? faultOf(error) : fault('campaign.unexpected')
}

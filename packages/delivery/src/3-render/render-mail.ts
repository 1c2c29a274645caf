import type { KeyObject } from 'node:crypto'
import { processLinks } from '@emma/contract/resources/pmt.ts'
import type { TestMailKey } from '@emma/core/campaigns/test-mails.ts'
import { signMailInPool } from '@emma/mail/dkim/sign-mail.ts'
import { needsSmtpUtf8, parseAddress } from '@emma/mail/address.ts'
import type { MailAttachment } from '@emma/mail/mime/attachment-part.ts'
import { withAttachments } from '@emma/mail/mime/compile-mime.ts'
import { type BuiltMail, buildMail, mailBytes } from '@emma/mail/mime/build-mail.ts'
import type { SmtpEnvelope } from '@emma/mail/smtp/client.ts'
import { signToken, signTokens, type Token, verpAddress } from '@emma/mail/token.ts'
import { unsubscribeUrl } from '@emma/mail/tracking-urls.ts'
import { isTransactional } from '../model/campaign-snapshot.ts'
import type { CompiledCampaign } from './compile-campaign.ts'

/** Recipient of a message. */
export interface MailTarget {
  email: string
  /** Negative for a seed, 0 for an address of a test send. */
  memberId: number
  member: Record<string, unknown>
  /** Data of this recipient alone. */
  personal?: Record<string, unknown>
  /** Replace those of the campaign. */
  subject?: string | undefined
  replyTo?: string | undefined
  /** Besides those of the campaign. */
  attachments?: readonly MailAttachment[]
  /**
   * A test send: its pages have no effect, and its Message-ID is unique, since receivers drop duplicates. `mail`: opens and
   * clicks are recorded for it.
   */
  test?: { messageId: string; mail?: Omit<TestMailKey, 'clientId'> | undefined }
}

/** A message as sent on the wire. */
export interface RenderedMail {
  envelope: SmtpEnvelope
  bytes: Buffer[]
  messageId: string
}

/**
 * Renders and signs one message. Depends only on its arguments.
 * @throws RenderError if the member's data does not fit the template; HeaderError for an invalid address
 */
export async function renderMail(
  campaign: CompiledCampaign,
  target: MailTarget,
  tokenKey: KeyObject,
  now = new Date(),
): Promise<RenderedMail> {
  const mail = buildFor(campaign, target, tokenKey, now)
  const signatures = await signMailInPool(mail.built, campaign.keys, now)
  return { envelope: mail.envelope, bytes: mailBytes(mail.built, signatures), messageId: mail.messageId }
}

function buildFor(
  { snapshot, mail, fields }: CompiledCampaign,
  target: MailTarget,
  tokenKey: KeyObject,
  now: Date,
): { built: BuiltMail; envelope: SmtpEnvelope; messageId: string } {
  const { domain, trackingBase } = snapshot
  const token = tokenOf(snapshot, target)
  const tokens = signTokens(tokenKey, token)
  // The token identifies the message, so a resend has the same id, and receivers drop the duplicate.
  const messageId = `${target.test?.messageId ?? tokens.return}@${domain.name}`
  const isBulk = !isTransactional(snapshot)
  const built = buildMail(withAttachments(mail, target.attachments ?? []), {
    data: {
      member: target.member,
      ...fields,
      ...(target.personal && { data: { ...fields.data, ...target.personal } }),
      token: testTokenOf(target, token, tokenKey) ?? tokens.tracking,
      pageToken: pageTokenOf(snapshot, token, tokenKey) ?? tokens.page,
    },
    to: { address: target.email },
    messageId,
    date: now,
    subject: target.subject,
    replyTo: target.replyTo === undefined ? undefined : { address: target.replyTo },
    cfblFeedbackId: tokens.return,
    ...(isBulk
      ? {
          unsubscribeUrl: unsubscribeUrl(trackingBase, tokens.page),
          unsubscribeMailto: `mailto:${verpAddress(tokens.page, domain.returnPathHost, 'unsubscribe')}`,
        }
      : {}),
  })
  return {
    built,
    envelope: {
      from: verpAddress(tokens.return, domain.returnPathHost),
      to: wireAddress(target.email),
      smtpUtf8: built.smtpUtf8,
    },
    messageId,
  }
}

/** For pixel and links of an email of a test; null for every other mail. */
function testTokenOf({ test }: MailTarget, { clientId }: Token, key: KeyObject): string | null {
  if (!test?.mail) return null
  const { testId: campaignId, mailId: memberId } = test.mail
  return signToken(key, { kind: 'test_mail', clientId, campaignId, memberId }, 'tracking')
}

/** The only link of a mail that asks to confirm does so, and nothing else does; null for every other mail. */
function pageTokenOf(
  { campaign }: CompiledCampaign['snapshot'],
  token: Token,
  key: KeyObject,
): string | null {
  const isRequest = campaign.process && processLinks[campaign.process].required.includes('doi')
  if (!isRequest || token.kind !== 'campaign') return null
  return signToken(key, { ...token, kind: 'doi' }, 'page')
}

/** With the domain in A-labels: a domain alone does not need SMTPUTF8 (RFC 6531, 3.2). */
function wireAddress(email: string): string {
  if (!needsSmtpUtf8(email)) return email
  const parsed = parseAddress(email)
  return parsed.ok ? parsed.email : email
}

function tokenOf({ campaign, client }: CompiledCampaign['snapshot'], { memberId, test }: MailTarget): Token {
  const ids = { clientId: client.client_id, campaignId: campaign.id }
  if (test) return { kind: 'test', ...ids, memberId: 0 }
  if (memberId < 0) return { kind: 'test', ...ids, memberId: -memberId }
  return { kind: 'campaign', ...ids, memberId }
}

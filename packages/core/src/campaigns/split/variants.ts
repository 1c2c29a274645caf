import type { Split, SplitVariant } from '@emma/contract/split.ts'

/** The settings of a campaign that a variant of its A/B test may have otherwise. */
export interface VariantSettings {
  message_id: number | null
  subject: string | null
  fromadr: string | null
  fromname: string | null
  reply_to: string | null
}

/** Each variant with what it is sent with, the campaign itself first. One element if there is no A/B test. */
export function variantsOf(
  campaign: VariantSettings & { split: Pick<Split, 'variants'> | null },
): VariantSettings[] {
  const { message_id, subject, fromadr, fromname, reply_to } = campaign
  const own = { message_id, subject, fromadr, fromname, reply_to }
  return [own, ...(campaign.split?.variants ?? []).map(variant => settingsOf(own, variant))]
}

function settingsOf(own: VariantSettings, variant: SplitVariant): VariantSettings {
  return {
    message_id: variant.message_id ?? own.message_id,
    subject: variant.subject ?? own.subject,
    fromadr: variant.fromadr ?? own.fromadr,
    fromname: variant.fromname ?? own.fromname,
    reply_to: variant.reply_to ?? own.reply_to,
  }
}

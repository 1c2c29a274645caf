import type { SplitReport } from './split-state.tsx'

/** What a variant has otherwise than the others: subject, sender, template, time. */
export function differencesOf(
  { variants, split }: Pick<SplitReport, 'variants' | 'split'>,
  index: number,
): string[] {
  const [own, first] = [variants[index], variants[0]]
  if (!own || !first) return []
  const fields = ['subject', 'fromname', 'fromadr', 'reply_to'] as const
  const differing = fields.filter(field => variants.some(each => each[field] !== first[field]))
  const delay = split.variants[index - 1]?.delay_minutes ?? 0
  return [
    ...differing.flatMap(field => own[field] ?? []),
    ...(variants.some(each => each.message_id !== first.message_id) && own.template ? [own.template] : []),
    ...(delay > 0 ? [`+${delay} min`] : []),
  ]
}

import { variantLetter } from '@emma/contract/split.ts'
import { type Counted, scoreInterval } from '@emma/contract/statistics/compare-rates.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { type SmallColumn, SmallTable } from '@emma/ui/layout/small-table.tsx'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { SplitReport } from '../../../shell/resource/split-state.tsx'
import { useDifference } from './use-difference.ts'

type Part = SplitReport['parts'][number]

/** Variants, the rest and the holdout, with rates and their intervals. */
export function SplitTable({ report }: { report: SplitReport }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const difference = useDifference()
  const label = (key: string) => t(`reports.split.columns.${key}`)
  const { compared, split } = report
  const rate = (key: string, count: (part: Part) => Counted | null): SmallColumn<Part> => ({
    id: key,
    header: label(key),
    align: 'end',
    width: 120,
    cell: part => {
      const counted = count(part)
      return counted ? <Rate counted={counted} level={split.level} /> : '–'
    },
  })
  const columns: SmallColumn<Part>[] = [
    { id: 'variant', header: label('variant'), cell: part => <Name report={report} part={part} /> },
    {
      id: 'recipients',
      header: label('recipients'),
      align: 'end',
      width: 100,
      cell: ({ recipients }) => format.number(recipients),
    },
    {
      id: 'delivered',
      header: label('delivered'),
      align: 'end',
      width: 100,
      cell: ({ part, delivered }) => (part === 'holdout' ? '–' : format.number(delivered)),
    },
    rate('opened', ({ part, delivered, opened }) =>
      part === 'holdout' ? null : { n: delivered, x: opened },
    ),
    rate('clicked', ({ part, delivered, clicked }) =>
      part === 'holdout' ? null : { n: delivered, x: clicked },
    ),
    rate('unsubscribed', ({ part, delivered, unsubscribed }) =>
      part === 'holdout' ? null : { n: delivered, x: unsubscribed },
    ),
  ]
  if (split.goal_list_id !== null)
    columns.push(
      rate('goal', ({ recipients, reached_goal: reached }) =>
        reached === null ? null : { n: recipients, x: reached },
      ),
    )
  if (report.variants.length > 1)
    columns.push({
      id: 'difference',
      header: label('difference'),
      align: 'end',
      width: 190,
      cell: ({ part, variant }) => {
        const found = part === 'variant' && variant !== null ? compared[variant]?.difference : null
        return found ? difference(found) : '–'
      },
    })
  return (
    <SmallTable
      label={t('reports.split.title')}
      minWidth={760}
      rows={report.parts}
      rowKey={({ part, variant }) => `${part} ${variant}`}
      columns={columns}
    />
  )
}

/** A rate, and below it the limits between which it is with the confidence of the test. */
function Rate({ counted, level }: { counted: Counted; level: number }): ReactNode {
  const format = useFormat()
  if (counted.n === 0) return '–'
  const { low, high } = scoreInterval(counted, level)
  return (
    <>
      {format.percent(counted.x / counted.n)}
      <Text component="div" size="xs" c="dimmed">
        {format.percent(low)} – {format.percent(high)}
      </Text>
    </>
  )
}

/** A variant with what it has otherwise than the first one. */
function Name({ report, part: { part, variant } }: { report: SplitReport; part: Part }): ReactNode {
  const { t } = useTranslation()
  if (part === 'holdout') return t('reports.split.holdout')
  if (part === 'rest') {
    if (report.variants.length === 1) return t('reports.split.everybody_else')
    if (report.winner === null) return t('reports.split.undecided')
    return t('reports.split.rest', { variant: variantLetter(report.winner) })
  }
  const own = report.variants[variant ?? 0]
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <strong>{variantLetter(variant ?? 0)}</strong>
        {variant === report.winner && report.decided_at !== null && (
          <StatusBadge tone="positive">{t('reports.split.winner')}</StatusBadge>
        )}
      </Group>
      {own && (
        <Text component="div" size="xs" c="dimmed">
          {differencesOf(report, variant ?? 0).join(' · ')}
        </Text>
      )}
    </>
  )
}

function differencesOf({ variants, split }: SplitReport, index: number): string[] {
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

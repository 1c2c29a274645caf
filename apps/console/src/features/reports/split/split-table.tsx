import type { Counted } from '@emma/contract/statistics/compare-rates.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { type SmallColumn, SmallTable } from '@emma/ui/layout/small-table.tsx'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CountedRate } from '../../../shell/resource/counted-rate.tsx'
import type { SplitReport } from '../../../shell/resource/split-state.tsx'
import { useDifference } from '../../../shell/resource/use-difference.ts'
import { differencesOf } from '../../../shell/resource/variant-differences.ts'
import { CountButton } from '../count-button.tsx'
import type { People } from '../report-query.ts'
import { recipientsOf, type SplitPart, usePartName } from './use-part-name.ts'

interface SplitTableProps {
  report: SplitReport
  /** Shows the recipients that a figure counts. */
  onPeople: (people: People) => void
}

/** Variants, the rest and the holdout, with rates and their intervals. */
export function SplitTable({ report, onPeople }: SplitTableProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const difference = useDifference()
  const nameOf = usePartName()
  const label = (key: string) => t(`reports.split.columns.${key}`)
  const titleOf = (part: SplitPart) =>
    part.part === 'variant' ? `${label('variant')} ${nameOf(report, part)}` : nameOf(report, part)
  const { compared, split } = report
  const rate = (key: string, count: (part: SplitPart) => Counted | null): SmallColumn<SplitPart> => ({
    id: key,
    header: label(key),
    align: 'end',
    width: 136,
    cell: part => {
      const counted = count(part)
      return counted ? <CountedRate counted={counted} level={split.level} /> : '–'
    },
  })
  const columns: SmallColumn<SplitPart>[] = [
    { id: 'variant', header: label('variant'), cell: part => <Name report={report} part={part} /> },
    {
      id: 'recipients',
      header: label('recipients'),
      align: 'end',
      width: 100,
      cell: part => (
        <CountButton
          count={part.recipients}
          onClick={() => onPeople({ title: titleOf(part), who: recipientsOf(part) })}
        />
      ),
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
      width: 230,
      cell: ({ part, variant }) => {
        const found = part === 'variant' && variant !== null ? compared[variant]?.difference : null
        return found ? difference(found) : '–'
      },
    })
  return (
    <SmallTable
      label={t('reports.split.title')}
      minWidth={860}
      rows={report.parts}
      rowKey={({ part, variant }) => `${part} ${variant}`}
      columns={columns}
    />
  )
}

/** A part; a variant with what it has otherwise than the first one. */
function Name({ report, part }: { report: SplitReport; part: SplitPart }): ReactNode {
  const { t } = useTranslation()
  const name = usePartName()(report, part)
  if (part.part !== 'variant') return name
  const variant = part.variant ?? 0
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <strong>{name}</strong>
        {variant === report.winner && report.decided_at !== null && (
          <StatusBadge tone="positive">{t('reports.split.winner')}</StatusBadge>
        )}
      </Group>
      {report.variants[variant] && (
        <Text component="div" size="xs" c="dimmed">
          {differencesOf(report, variant).join(' · ')}
        </Text>
      )}
    </>
  )
}

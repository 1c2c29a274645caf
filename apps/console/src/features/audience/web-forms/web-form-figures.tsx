import { queryKeys } from '@emma/client/query-keys.ts'
import { webformFigures } from '@emma/contract/actions/web-forms.ts'
import { FormSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { useFormat, useLocale } from '@emma/ui/i18n.tsx'
import { Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'

const figures = ['views', 'starts', 'submissions', 'confirmed'] as const

/** Figures of a form by day, of the last 30 days. */
export function WebFormFigures({ id }: { id: number }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const locale = useLocale()
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.action(webformFigures, { id }),
    queryFn: ({ signal }) => api.call(webformFigures, { params: { id }, query: { days: 30 }, signal }),
  })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <FormSkeleton />
  if (data.data.length === 0) return <Text c="dimmed">{t('audience.webform.no_figures')}</Text>
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  return (
    <Table.ScrollContainer minWidth={420}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('audience.webform.day')}</Table.Th>
            {figures.map(figure => (
              <Table.Th key={figure} scope="col" ta="end">
                {t(`audience.webform.fields.${figure}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.data.toReversed().map(row => (
            <Table.Tr key={row.day}>
              <Table.Td>{days.format(new Date(row.day))}</Table.Td>
              {figures.map(figure => (
                <Table.Td key={figure} ta="end">
                  {format.number(row[figure])}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

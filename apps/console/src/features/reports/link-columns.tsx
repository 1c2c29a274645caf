import { useFormat } from '@emma/ui/i18n.tsx'
import type { SmallColumn } from '@emma/ui/layout/small-table.tsx'
import { useTranslation } from 'react-i18next'
import { shareOf } from '../../shell/resource/share-of.ts'
import type { Report } from './report-query.ts'
import classes from './reports.module.css'

type Link = Pick<Report['links'][number], 'name' | 'url' | 'unique' | 'total'>

/**
 * Columns of the links of a sent message that reports and sales views have in common.
 *
 * @param clickers people who clicked any link
 */
export function useLinkColumns(clickers: number) {
  const { t } = useTranslation()
  const format = useFormat()
  const label = (key: string) => t(`reports.links.${key}`)
  return {
    name: {
      id: 'name',
      header: label('link'),
      cell: link => (
        <>
          {link.name || link.url}
          <span className={classes.url}>{link.url}</span>
        </>
      ),
    },
    share: {
      id: 'share',
      header: label('share'),
      align: 'end',
      cell: link => format.percent(shareOf(link.unique, clickers)),
    },
    total: { id: 'total', header: label('total'), align: 'end', cell: link => format.number(link.total) },
  } satisfies Record<string, SmallColumn<Link>>
}

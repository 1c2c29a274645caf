import { ActionIcon, NativeSelect } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useFormat, useTranslate } from '../i18n.tsx'
import { type ListState, pageCount, pageSizes } from './list-state.ts'
import classes from './list-screen.module.css'

export interface ListFooterProps {
  state: ListState
  total: number
  onChange: (state: ListState) => void
  /** Called on hover or focus of "next", to prefetch the next page. */
  onNextLikely: () => void
}

/** Total, page size and pagination. */
export function ListFooter({ state, total, onChange, onNextLikely }: ListFooterProps): ReactNode {
  const t = useTranslate()
  const format = useFormat()
  const pages = pageCount(total, state.pageSize)
  const from = Math.min(total, (state.page - 1) * state.pageSize + 1)
  const to = Math.min(total, state.page * state.pageSize)
  return (
    <nav className={classes.footer} aria-label={t('list.page', { page: state.page, pages })}>
      <span role="status">
        {pages === 1
          ? t.count('list.total', total)
          : t('list.range', {
              from: format.number(from),
              to: format.number(to),
              total: format.number(total),
            })}
      </span>
      <span className={classes.footerSpace} />
      <NativeSelect
        size="xs"
        aria-label={t('list.page_size')}
        data={pageSizes.map(size => ({ value: String(size), label: `${size}` }))}
        value={String(state.pageSize)}
        onChange={event => onChange({ ...state, page: 1, pageSize: Number(event.currentTarget.value) })}
      />
      {pages > 1 && (
        <>
          <ActionIcon
            variant="default"
            aria-label={t('list.previous')}
            disabled={state.page <= 1}
            onClick={() => onChange({ ...state, page: state.page - 1 })}
          >
            <IconChevronLeft size={16} aria-hidden />
          </ActionIcon>
          <span className={classes.pageNumber}>{t('list.page', { page: state.page, pages })}</span>
          <ActionIcon
            variant="default"
            aria-label={t('list.next')}
            disabled={state.page >= pages}
            onMouseEnter={onNextLikely}
            onFocus={onNextLikely}
            onClick={() => onChange({ ...state, page: state.page + 1 })}
          >
            <IconChevronRight size={16} aria-hidden />
          </ActionIcon>
        </>
      )}
    </nav>
  )
}

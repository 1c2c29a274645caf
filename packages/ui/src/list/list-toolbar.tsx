import { ActionIcon, Button, CloseButton, Menu, TextInput, Tooltip } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconArrowsSort, IconFilterPlus, IconRefresh, IconSearch } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useState } from 'react'
import { useTranslate } from '../i18n.tsx'
import { type ExportKind, ExportMenu } from './export-menu.tsx'
import { FilterChip } from './filter-chip.tsx'
import type { Column, ListFilter } from './list-parts.ts'
import { type ListState, isNarrowed, nextSort, withFilter, withoutNarrowing } from './list-state.ts'
import classes from './list-screen.module.css'
import type { ListStateChange } from './use-list-state.ts'

/** Debounce of the search in ms. */
const searchDelay = 250

export interface ListToolbarProps {
  state: ListState
  onStateChange: ListStateChange
  columns: readonly Column<never>[]
  filters: readonly ListFilter[]
  isSearchable: boolean
  searchRef: RefObject<HTMLInputElement | null>
  isFetching: boolean
  onRefresh: () => void
  onExport?: ((kind: ExportKind) => void) | undefined
  /** Menus of views and columns. */
  children: ReactNode
}

/** Search, filters and menus of a list. */
export function ListToolbar(props: ListToolbarProps): ReactNode {
  const { state, onStateChange, isFetching, onRefresh, onExport } = props
  const t = useTranslate()
  return (
    <div className={classes.toolbar}>
      {props.isSearchable && (
        <SearchBox state={state} onStateChange={onStateChange} inputRef={props.searchRef} />
      )}
      <Filters {...props} />
      <div className={classes.tools}>
        <SortMenu {...props} />
        {props.children}
        {onExport && <ExportMenu onExport={onExport} />}
        <Tooltip label={t('list.refresh')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('list.refresh')}
            data-busy={isFetching || undefined}
            className={classes.refresh}
            onClick={onRefresh}
          >
            <IconRefresh size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
    </div>
  )
}

function SearchBox(props: {
  state: ListState
  onStateChange: ListStateChange
  inputRef: RefObject<HTMLInputElement | null>
}): ReactNode {
  const { state, onStateChange, inputRef } = props
  const t = useTranslate()
  const [text, setText] = useState(state.search)
  const search = useDebouncedCallback((next: string) => {
    onStateChange({ ...state, search: next, page: 1 }, { replace: true })
  }, searchDelay)
  // A search set from outside (back button, saved view) replaces the input. Not while the user is typing: then it is an
  // earlier value of the input, and later characters would be lost.
  const [known, setKnown] = useState(state.search)
  if (known !== state.search) {
    setKnown(state.search)
    if (!search.isPending()) setText(state.search)
  }
  const change = (next: string) => {
    setText(next)
    search(next)
  }
  return (
    <TextInput
      ref={inputRef}
      className={classes.search}
      type="search"
      role="searchbox"
      placeholder={t('list.search')}
      aria-label={t('list.search')}
      aria-keyshortcuts="/"
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text !== '' && (
          <CloseButton size="sm" aria-label={t('list.search_clear')} onClick={() => change('')} />
        )
      }
      value={text}
      onChange={event => change(event.currentTarget.value)}
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        change('')
        const row = event.currentTarget.closest('section')?.querySelector<HTMLElement>('tr[tabindex="0"]')
        if (row) row.focus()
        else event.currentTarget.blur()
      }}
    />
  )
}

function Filters({ state, onStateChange, filters }: ListToolbarProps): ReactNode {
  const t = useTranslate()
  const [added, setAdded] = useState<string | null>(null)
  const shown = filters.filter(
    filter => filter.pinned || state.filters[filter.name] !== undefined || filter.name === added,
  )
  const others = filters.filter(filter => !shown.includes(filter))
  return (
    <div className={classes.filters}>
      {shown.map(filter => (
        <FilterChip
          key={filter.name}
          filter={filter}
          values={state.filters[filter.name] ?? []}
          startsOpen={filter.name === added}
          onChange={values => onStateChange(withFilter(state, filter.name, values))}
          onClose={() => setAdded(null)}
        />
      ))}
      {others.length > 0 && (
        <Menu position="bottom-start" returnFocus={false}>
          <Menu.Target>
            <Button variant="subtle" color="gray" leftSection={<IconFilterPlus size={16} aria-hidden />}>
              {shown.length === 0 ? t('list.filter') : t('list.filter_add')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map(filter => (
              <Menu.Item key={filter.name} onClick={() => setAdded(filter.name)}>
                {filter.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {isNarrowed(state) && (
        <Button variant="subtle" color="gray" onClick={() => onStateChange(withoutNarrowing(state))}>
          {t('list.filters_clear')}
        </Button>
      )}
    </div>
  )
}

/** Sort menu for narrow screens, which have no table header. */
function SortMenu({ columns, state, onStateChange }: ListToolbarProps): ReactNode {
  const t = useTranslate()
  const sortable = columns.filter(column => column.sort !== undefined)
  if (sortable.length === 0) return null
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon
          className={classes.sortMenu}
          variant="subtle"
          color="gray"
          aria-label={t('list.sort_by', { name: '…' })}
        >
          <IconArrowsSort size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {sortable.map(column => {
          const field = column.sort ?? column.id
          const isSorted = state.sort?.field === field
          const arrow = state.sort?.descending ? '↓' : '↑'
          return (
            <Menu.Item
              key={column.id}
              rightSection={isSorted ? arrow : null}
              onClick={() => onStateChange({ ...state, page: 1, sort: nextSort(state.sort, field) })}
            >
              {column.header}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}

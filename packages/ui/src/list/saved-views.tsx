import { ActionIcon, Button, Popover, Stack, TextInput } from '@mantine/core'
import { IconBookmark, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { z } from 'zod'
import { notify } from '../feedback/notify.tsx'
import { usePreference } from '../use-preference.ts'
import { useTranslate } from '../i18n.tsx'
import { type ColumnChoice, columnChoice } from './column-choice.ts'
import classes from './list-screen.module.css'
import { type ListState, withoutNarrowing } from './list-state.ts'

const savedView = z.object({
  name: z.string().min(1).max(100),
  search: z.string(),
  filters: z.record(z.string(), z.array(z.string())),
  sort: z.object({ field: z.string(), descending: z.boolean() }).nullable(),
  pageSize: z.int().positive(),
  columns: columnChoice.nullable(),
})
type SavedView = z.infer<typeof savedView>
const savedViews = z.array(savedView)

export interface SavedViewsProps {
  /** Name of the list: views are stored per list and user. */
  name: string
  state: ListState
  columns: ColumnChoice | null
  onChoose: (state: ListState, columns: ColumnChoice | null) => void
}

/** Menu of named views of a list: search, filters, sort, page size and columns. */
export function SavedViews({ name, state, columns, onChoose }: SavedViewsProps): ReactNode {
  const t = useTranslate()
  const [kept, keep] = usePreference(`views.${name}`, savedViews)
  const views = kept ?? []
  const [isOpen, setOpen] = useState(false)

  function save(viewName: string): void {
    const { search, filters, sort, pageSize } = state
    const plain = Object.fromEntries(Object.entries(filters).map(([filter, values]) => [filter, [...values]]))
    const view = { name: viewName, search, filters: plain, sort, pageSize, columns }
    keep([...views.filter(other => other.name !== viewName), view])
    setOpen(false)
    notify.success(t('list.view_saved', { name: viewName }))
  }

  function choose(view: SavedView | null): void {
    setOpen(false)
    if (!view) return onChoose(withoutNarrowing(state), columns)
    const { search, filters, sort, pageSize } = view
    onChoose({ search, filters, sort, pageSize, page: 1 }, view.columns)
  }

  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus returnFocus width={280}>
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          className={classes.toolButton}
          leftSection={<IconBookmark size={16} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        >
          {t('list.views')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('list.views')}>
        <Stack gap={2}>
          <button type="button" className={classes.viewName} onClick={() => choose(null)}>
            {t('list.view_default')}
          </button>
          {views.map(view => (
            <div key={view.name} className={classes.view}>
              <button type="button" className={classes.viewName} onClick={() => choose(view)}>
                {view.name}
              </button>
              <ActionIcon
                size="sm"
                variant="subtle"
                color="gray"
                aria-label={t('list.view_delete', { name: view.name })}
                onClick={() => keep(views.filter(other => other !== view))}
              >
                <IconTrash size={14} aria-hidden />
              </ActionIcon>
            </div>
          ))}
          <SaveView onSave={save} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

function SaveView({ onSave }: { onSave: (name: string) => void }): ReactNode {
  const t = useTranslate()
  const [name, setName] = useState('')
  return (
    <form
      className={classes.saveView}
      onSubmit={event => {
        event.preventDefault()
        if (name.trim() !== '') onSave(name.trim())
        setName('')
      }}
    >
      <TextInput
        label={t('list.view_name')}
        maxLength={100}
        value={name}
        onChange={event => setName(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" fullWidth mt="xs" disabled={name.trim() === ''}>
        {t('list.view_save')}
      </Button>
    </form>
  )
}

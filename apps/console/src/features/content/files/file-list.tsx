import { useFormat } from '@emma/ui/i18n.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import type { RowAction } from '@emma/ui/list/list-parts.ts'
import { RowMenu } from '@emma/ui/list/row-menu.tsx'
import { ActionIcon, Checkbox, UnstyledButton } from '@mantine/core'
import { IconDots, IconFile, IconFolder } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FileItem } from './file-item.ts'
import classes from './files.module.css'

interface FileListProps {
  items: readonly FileItem[]
  isTable: boolean
  /** Opens a folder, or the details of a file. */
  onOpen: (item: FileItem) => void
  actions: (item: FileItem) => RowAction[]
  /** Ids of the selected entries; without it, entries cannot be selected. */
  selected?: ReadonlySet<number>
  onSelect?: (item: FileItem, isSelected: boolean) => void
}

/** Files and folders as cards with thumbnails, or as a table. */
export function FileList({ items, isTable, onOpen, actions, selected, onSelect }: FileListProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const [menu, setMenu] = useState<{ item: FileItem; anchor: HTMLElement } | null>(null)
  const note = (item: FileItem) => {
    if (item.isFolder) return t('content.files.entries', { count: item.count })
    const size = item.width === null ? '' : ` · ${item.width} × ${item.height}`
    return `${format.bytes(item.size)}${size}`
  }
  const name = (item: FileItem) => (
    <UnstyledButton className={classes.name} onClick={() => onOpen(item)}>
      {item.name}
    </UnstyledButton>
  )
  const mark = (item: FileItem) =>
    selected && (
      <Checkbox
        aria-label={t('content.files.select', { name: item.name })}
        checked={selected.has(item.id)}
        onChange={event => onSelect?.(item, event.currentTarget.checked)}
      />
    )
  const menuButton = (item: FileItem) =>
    actions(item).length > 0 && (
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('content.files.actions', { name: item.name })}
        onClick={event => setMenu({ item, anchor: event.currentTarget })}
      >
        <IconDots size={16} />
      </ActionIcon>
    )
  return (
    <>
      {isTable ? (
        <SmallTable
          label={t('screens.files')}
          rows={items}
          rowKey={item => `${item.id}`}
          minWidth={620}
          columns={[
            {
              id: 'name',
              header: t('content.files.name'),
              cell: item => (
                <span className={classes.row}>
                  {mark(item)}
                  <FilePicture item={item} className={classes.small ?? ''} />
                  {name(item)}
                </span>
              ),
            },
            { id: 'size', header: t('content.files.size'), cell: note, width: 180 },
            {
              id: 'changed',
              header: t('content.files.changed'),
              cell: item => format.relative(item.changed),
              width: 150,
            },
            { id: 'menu', header: t('content.files.menu'), cell: menuButton, width: 90 },
          ]}
        />
      ) : (
        <ul className={classes.grid}>
          {items.map(item => (
            <li key={item.id} className={classes.card}>
              <span className={classes.mark}>{mark(item)}</span>
              <FilePicture item={item} />
              {name(item)}
              <span className={classes.note}>{note(item)}</span>
              <span className={classes.menu}>{menuButton(item)}</span>
            </li>
          ))}
        </ul>
      )}
      {menu && <RowMenu anchor={menu.anchor} actions={actions(menu.item)} onClose={() => setMenu(null)} />}
    </>
  )
}

/** Thumbnail of an image, or a sign. */
export function FilePicture({ item, className = '' }: { item: FileItem; className?: string }): ReactNode {
  const sign = item.isFolder ? <IconFolder stroke={1.3} aria-hidden /> : <IconFile stroke={1.3} aria-hidden />
  return (
    <span className={`${classes.picture} ${className}`}>
      {item.thumbnail === null ? sign : <img src={item.thumbnail} alt={item.alt ?? ''} loading="lazy" />}
    </span>
  )
}

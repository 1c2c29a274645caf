import type { Widget } from '@emma/contract/resources/dashboard.ts'
import { ActionIcon, Menu } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconDotsVertical,
  IconGripVertical,
  IconSettings,
  IconTrash,
} from '@tabler/icons-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Direction } from '../arrange.ts'
import classes from '../dashboard.module.css'
import { useWidgetTitle } from './widget.tsx'

interface WidgetControlsProps {
  widget: Widget
  onMove: (direction: Direction) => void
  onResize: (change: { w?: number; h?: number }) => void
  onSettings: () => void
  onCopy: (() => void) | undefined
  onRemove: () => void
}

const directions: Partial<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

const sizes: Record<Direction, { w?: number; h?: number }> = {
  left: { w: -1 },
  right: { w: 1 },
  up: { h: -1 },
  down: { h: 1 },
}

/** Drag handle, also for arrow keys (with Shift: resize), and the menu of a widget. */
export function WidgetControls(props: WidgetControlsProps): ReactNode {
  const { widget, onMove, onResize, onSettings, onCopy, onRemove } = props
  const { t } = useTranslation()
  const title = useWidgetTitle(widget)

  function onKeyDown(event: KeyboardEvent): void {
    const direction = directions[event.key]
    if (!direction) return
    event.preventDefault()
    if (event.shiftKey) onResize(sizes[direction])
    else onMove(direction)
  }

  return (
    <>
      <ActionIcon
        className={classes.handle}
        data-drag
        variant="subtle"
        color="gray"
        size="md"
        aria-label={t('dashboard.handle', { title })}
        onKeyDown={onKeyDown}
      >
        <IconGripVertical size={16} stroke={1.7} />
      </ActionIcon>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="md" aria-label={t('dashboard.options', { title })}>
            <IconDotsVertical size={16} stroke={1.7} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconSettings size={16} />} onClick={onSettings}>
            {t('dashboard.settings')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowUp size={16} />}
            closeMenuOnClick={false}
            onClick={() => onMove('up')}
          >
            {t('dashboard.move_up')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowDown size={16} />}
            closeMenuOnClick={false}
            onClick={() => onMove('down')}
          >
            {t('dashboard.move_down')}
          </Menu.Item>
          {onCopy && (
            <Menu.Item leftSection={<IconCopy size={16} />} onClick={onCopy}>
              {t('dashboard.duplicate')}
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={onRemove}>
            {t('dashboard.remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

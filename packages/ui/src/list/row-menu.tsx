import { Menu } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { confirm } from '../feedback/confirm.tsx'
import { notify } from '../feedback/notify.tsx'
import { useUiSettings } from '../ui-settings.tsx'
import { useTranslate } from '../i18n.tsx'
import type { RowAction } from './list-parts.ts'
import classes from './list-screen.module.css'

export interface RowMenuProps {
  /** The clicked button. */
  anchor: HTMLElement
  actions: readonly RowAction[]
  onClose: () => void
}

/** Menu of a row: one instance for the whole list, positioned at the clicked button. */
export function RowMenu({ anchor, actions, onClose }: RowMenuProps): ReactNode {
  const { errorText } = useUiSettings()
  const t = useTranslate()
  const { left, top, width, height } = anchor.getBoundingClientRect()

  useEffect(() => {
    // Scrolling would separate the menu from its row.
    addEventListener('scroll', onClose, { capture: true, once: true })
    return () => removeEventListener('scroll', onClose, { capture: true })
  }, [onClose])

  function close(): void {
    onClose()
    anchor.focus()
  }

  async function run(action: RowAction): Promise<void> {
    close()
    if (action.disabled !== undefined) return void notify.info(action.disabled)
    if (action.confirm && !(await confirm(action.confirm))) return
    try {
      await action.run()
      if (action.done) tell(action.label, action.done)
    } catch (error) {
      notify.danger(errorText(error), { title: action.label })
    }
  }

  function tell(label: string, { message, undo }: NonNullable<RowAction['done']>): void {
    const takeBack = (work: () => Promise<unknown>) => {
      work().catch((error: unknown) => notify.danger(errorText(error), { title: label }))
    }
    notify.success(message, undo ? { action: { label: t('action.undo'), run: () => takeBack(undo) } } : {})
  }

  return (
    <Menu opened onChange={opened => !opened && close()}>
      <Menu.Target>
        {/* The menu's accessible name comes from its target, which therefore repeats the button's. */}
        <span aria-hidden className={classes.menuAnchor} style={{ left, top, width, height }}>
          {anchor.getAttribute('aria-label')}
        </span>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(action => (
          <Menu.Item
            key={action.id}
            leftSection={action.icon}
            data-disabled={action.disabled !== undefined || undefined}
            {...(action.danger ? { c: 'var(--emma-negative)' } : {})}
            onClick={() => void run(action)}
          >
            {action.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

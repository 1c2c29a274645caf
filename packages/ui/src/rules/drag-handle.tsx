import { IconGripVertical } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { type Path, type RuleGroupTypeAny, findPath } from 'react-querybuilder'
import { startPointerDrag } from '../drag/pointer-drag.ts'
import { useTranslate } from '../i18n.tsx'
import classes from './rule-builder.module.css'
import { landingAt, mayMove, moveTo, pathOf, pathOfLanding } from './rule-drag.ts'

export interface DragHandleProps {
  path: Path
  isDisabled: boolean
  schema: {
    maxLevels: number
    getQuery: () => RuleGroupTypeAny
    dispatchQuery: (query: RuleGroupTypeAny) => void
  }
}

/** Drag handle of a rule or a group, for pointers. Keyboard users have the menu and Ctrl+Shift+arrow keys. */
export function DragHandle({ path, isDisabled, schema }: DragHandleProps): ReactNode {
  const t = useTranslate()
  if (isDisabled) return <span className={classes.handle} aria-hidden />
  return (
    <span
      className={classes.handle}
      data-part="drag"
      aria-hidden
      title={t('rules.drag')}
      onPointerDown={event => {
        const source = event.currentTarget.closest<HTMLElement>('[data-path]')
        if (!source) return
        event.preventDefault()
        const { maxLevels } = schema
        startPointerDrag(event.nativeEvent, {
          source,
          landingAt: (under, point) => {
            const landing = landingAt(source, under, point)
            const place = landing && pathOf(landing.element)
            if (!landing || !place) return null
            const query = schema.getQuery()
            const to = pathOfLanding(query, place, landing.side)
            return findPath(path, query) && mayMove(query, path, to, maxLevels) ? landing : null
          },
          onDrop: landing => {
            const place = pathOf(landing.element)
            if (!place) return
            const query = schema.getQuery()
            const to = pathOfLanding(query, place, landing.side)
            schema.dispatchQuery(moveTo(query, path, to, maxLevels))
          },
        })
      }}
    >
      <IconGripVertical size={16} />
    </span>
  )
}

import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslate } from '../i18n.tsx'
import classes from './stepper.module.css'

export type StepState = 'done' | 'todo' | 'warning' | 'error'

export interface Step {
  id: string
  label: string
  state: StepState
  isDisabled?: boolean
}

export interface StepperProps {
  steps: readonly Step[]
  current: string
  label: string
  onChoose: (id: string) => void
}

/** Steps of a process with their states; each can be selected. */
export function Stepper({ steps, current, label, onChoose }: StepperProps): ReactNode {
  const t = useTranslate()
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => scrollToCurrent(list.current), [current])
  return (
    <nav aria-label={label}>
      <ol ref={list} className={classes.steps}>
        {steps.map((step, index) => (
          <li key={step.id} className={classes.step}>
            <button
              type="button"
              className={classes.button}
              data-state={step.state}
              data-current={step.id === current || undefined}
              aria-current={step.id === current ? 'step' : undefined}
              disabled={step.isDisabled}
              onClick={() => onChoose(step.id)}
            >
              <span className={classes.mark} aria-hidden>
                <Mark state={step.state} number={index + 1} />
              </span>
              <span className={classes.label}>{step.label}</span>
              <span className={classes.hidden}>, {t(`stepper.${step.state}`)}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** On phones the steps scroll: the current one is in the middle. */
function scrollToCurrent(list: HTMLOListElement | null): void {
  const step = list?.querySelector('[aria-current]')
  if (list && step instanceof HTMLElement)
    list.scrollLeft = step.offsetLeft - (list.clientWidth - step.offsetWidth) / 2
}

function Mark({ state, number }: { state: StepState; number: number }): ReactNode {
  if (state === 'done') return <IconCheck size={14} stroke={2.5} />
  if (state === 'warning') return <IconAlertTriangle size={14} stroke={2} />
  if (state === 'error') return <IconX size={14} stroke={2.5} />
  return number
}

import type { CampaignAction } from '@emma/contract/campaign-states.ts'
import { confirm, type ConfirmOptions } from '@emma/ui/feedback/confirm.tsx'
import { Button, type ButtonProps } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { showError } from '../../shell/i18n/error-text.ts'
import { move } from './campaign-moves.ts'

interface MoveButtonProps
  extends Pick<ButtonProps, 'variant' | 'color' | 'leftSection' | 'fullWidth' | 'disabled'> {
  campaign: { campagne_id: number }
  action: CampaignAction
  label: string
  /** Confirmation before the transition. */
  question?: ConfirmOptions
  startdate?: string | null
  /** Id of the text that says why it is disabled. */
  describedBy?: string | undefined
  /** Called with the returned id; for `copy` that of the new campaign. */
  onMoved?: (id: number) => void
}

/** Button of a state transition, with busy state and error notification. */
export function MoveButton(props: MoveButtonProps): ReactNode {
  const { campaign, action, label, question, startdate, describedBy, onMoved, ...look } = props
  const [isMoving, setMoving] = useState(false)
  async function run(): Promise<void> {
    if (question && !(await confirm(question))) return
    setMoving(true)
    try {
      const id = await move(campaign, action, startdate)
      onMoved?.(id)
    } catch (error) {
      showError(error)
    } finally {
      setMoving(false)
    }
  }
  return (
    <Button {...look} aria-describedby={describedBy} loading={isMoving} onClick={() => void run()}>
      {label}
    </Button>
  )
}

import { Stepper, type StepState } from '@emma/ui/layout/stepper.tsx'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../campaigns.module.css'
import { type CampaignStep, campaignSteps, type FormStep } from './campaign-steps.ts'

interface CampaignPathProps {
  /** Id of the campaign; null while it is new. */
  id: number | null
  states: Record<CampaignStep, StepState>
  current: CampaignStep
  /** Scrolls to a section of the open form. */
  onSection?: (step: FormStep) => void
  /** Navigates to the screen of another step, after saving the form. */
  onLeave?: (step: 'test' | 'check') => void
}

/** Stepper of a campaign from content to start, shared by its screens. */
export function CampaignPath({ id, states, current, onSection, onLeave }: CampaignPathProps): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  function choose(step: CampaignStep): void {
    const params = { id: String(id) }
    if ((step === 'test' || step === 'check') && onLeave) onLeave(step)
    else if (step === 'test') void navigate({ to: '/campaigns/test/$id', params })
    else if (step === 'check') void navigate({ to: '/campaigns/start/$id', params })
    else if (onSection) onSection(step)
    else void navigate({ to: '/campaigns/edit/$id', params, hash: step })
  }
  return (
    <div className={classes.path}>
      <Stepper
        label={t('campaigns.path')}
        current={current}
        steps={campaignSteps.map(step => ({
          id: step,
          label: t(`campaigns.steps.${step}`),
          state: states[step],
          isDisabled: id === null && (step === 'test' || step === 'check'),
        }))}
        onChoose={chosen => {
          const step = campaignSteps.find(each => each === chosen)
          if (step) choose(step)
        }}
      />
    </div>
  )
}

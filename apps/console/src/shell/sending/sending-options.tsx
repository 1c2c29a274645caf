import { initialValues } from '@emma/contract/resource-schemas.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { isSame } from '@emma/ui/form/merge-versions.ts'
import { MoreFields } from '@emma/ui/form/more-fields.tsx'
import type { RecordForm } from '@emma/ui/form/use-record-form.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

const blank: Readonly<Record<string, unknown>> = initialValues(campaign)

interface SendingOptionsProps<V extends object> {
  form: RecordForm<V>
  label?: string
  /** The fields inside. */
  names: readonly (keyof V & string)[]
  children: ReactNode
}

/** Fields that most campaigns leave as they are, by default those of delivery. */
export function SendingOptions<V extends object>({
  form,
  label,
  names,
  children,
}: SendingOptionsProps<V>): ReactNode {
  const { t } = useTranslation()
  const isInUse = names.some(name => !isSame(form.values[name], blank[name]))
  return (
    <MoreFields form={form} names={names} isInUse={isInUse} label={label ?? t('campaigns.options')}>
      {children}
    </MoreFields>
  )
}

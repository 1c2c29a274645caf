import { message } from '@emma/contract/resources/message.ts'
import { type SplitVariant, variantLetter } from '@emma/contract/split.ts'
import { Select } from '@emma/ui/select/select.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { ActionIcon, Input, NumberInput, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { type ReactNode, useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../session/api.ts'
import type { SendingValues } from '../sending-values.ts'
import classes from './split.module.css'

interface VariantFieldsProps {
  /** 1 for B. */
  index: number
  variant: SplitVariant
  /** What the campaign itself is sent with, shown where the variant has nothing else. */
  own: Pick<SendingValues, 'subject' | 'fromname' | 'fromadr' | 'reply_to'>
  onChange: (variant: SplitVariant) => void
  /** Undefined for the last one. */
  onRemove: (() => void) | undefined
}

const texts = ['subject', 'fromname', 'fromadr', 'reply_to'] as const

/** What a variant has otherwise than the campaign. */
export function VariantFields({ index, variant, own, onChange, onRemove }: VariantFieldsProps): ReactNode {
  const { t } = useTranslation()
  const id = useId()
  const letter = variantLetter(index)
  const messages = useMemo(
    () =>
      resourceSource(api, message, {
        toOption: ({ name, subject }) => ({ label: name, description: subject }),
        filters: { template_type: ['email'] },
        sort: { field: 'name', descending: false },
      }),
    [],
  )
  return (
    <li className={classes.variant} aria-label={t('campaigns.split.variant', { variant: letter })}>
      <span className={classes.letter}>{letter}</span>
      <div className={classes.fields}>
        {texts.slice(0, 1).map(name => (
          <TextInput
            key={name}
            label={t(`campaigns.campaign.fields.${name}`)}
            placeholder={own[name] ?? t('campaigns.split.as_own')}
            maxLength={998}
            value={variant[name] ?? ''}
            onChange={event => onChange({ ...variant, [name]: event.currentTarget.value || null })}
          />
        ))}
        <Input.Wrapper id={id} label={t('campaigns.campaign.fields.message_id')} labelProps={{ htmlFor: id }}>
          <Select
            inputId={id}
            label={t('campaigns.campaign.fields.message_id')}
            source={messages}
            isClearable
            placeholder={t('campaigns.split.as_own')}
            value={variant.message_id}
            onChange={message_id => onChange({ ...variant, message_id })}
          />
        </Input.Wrapper>
        <details className={classes.more} open={isInUse(variant)}>
          <summary>{t('campaigns.split.more')}</summary>
          <div className={classes.fields}>
            {texts.slice(1).map(name => (
              <TextInput
                key={name}
                type={name === 'fromname' ? 'text' : 'email'}
                label={t(`campaigns.campaign.fields.${name}`)}
                placeholder={own[name] ?? t('campaigns.split.as_own')}
                value={variant[name] ?? ''}
                onChange={event => onChange({ ...variant, [name]: event.currentTarget.value || null })}
              />
            ))}
            <NumberInput
              label={t('campaigns.split.delay')}
              description={t('campaigns.split.delay_text')}
              min={0}
              max={168}
              decimalScale={2}
              value={variant.delay_minutes / 60}
              onChange={hours =>
                onChange({ ...variant, delay_minutes: Math.round((Number(hours) || 0) * 60) })
              }
            />
          </div>
        </details>
      </div>
      {onRemove && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('campaigns.split.remove', { variant: letter })}
          onClick={onRemove}
        >
          <IconTrash size={16} />
        </ActionIcon>
      )}
    </li>
  )
}

function isInUse({ fromname, fromadr, reply_to, delay_minutes: delay }: SplitVariant): boolean {
  return fromname !== null || fromadr !== null || reply_to !== null || delay > 0
}

import type { RecordOf } from '@emma/client/emma-client.ts'
import {
  brandDefaults,
  brandLimits,
  brandValues,
  mailFontNames,
  mailFonts,
  type BrandFields as BrandSettings,
  type SocialNetwork,
  socialNetworks,
} from '@emma/contract/client-brand.ts'
import type { client } from '@emma/contract/resources/client.ts'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { ColorField } from '@emma/ui/form/fields/color-field.tsx'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow, FormSection } from '@emma/ui/form/record-form.tsx'
import type { RecordForm } from '@emma/ui/form/use-record-form.ts'
import { ActionIcon, Button, Group, Input, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

type Client = RecordOf<typeof client>
type Socials = Client['brand_socials']
type BrandForm = RecordForm<Pick<Client, 'name' | 'imprint' | 'address' | keyof BrandSettings>>

/** Brand of a client's emails, with a sample of it. */
export function BrandFields({ form }: { form: BrandForm }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`platform.client.brand_of_mail.${key}`)
  const values = brandValues(form.values)
  const fonts = mailFontNames.map(value => ({
    value,
    label: value === 'system' ? text('fonts.system') : (mailFonts[value].split(',')[0] ?? value),
  }))
  return (
    <FormSection
      title={t('platform.client.sections.brand')}
      description={t('platform.client.sections.brand_text')}
    >
      <FormRow>
        <ColorField form={form} name="brand_color" placeholder={values.color} />
        <ColorField form={form} name="brand_text_color" placeholder={values.text_color} />
      </FormRow>
      <FormRow>
        <ColorField form={form} name="brand_button_color" placeholder={values.button_color} />
        <ColorField form={form} name="brand_button_text_color" placeholder={values.button_text_color} />
      </FormRow>
      <FormRow>
        <ColorField form={form} name="brand_background" placeholder={values.background} />
        <NumberField
          form={form}
          name="brand_radius"
          min={0}
          max={brandLimits.radius}
          placeholder={String(brandDefaults.radius)}
        />
      </FormRow>
      <FormRow>
        <ChoiceField form={form} name="brand_font" choices={fonts} emptyLabel={text('default')} />
        <ChoiceField form={form} name="brand_heading_font" choices={fonts} emptyLabel={text('default')} />
      </FormRow>
      <TextField
        form={form}
        name="brand_logo_url"
        type="url"
        placeholder="https://"
        maxLength={brandLimits.url}
      />
      <SocialLinks form={form} />
      <BrandSample values={values} />
    </FormSection>
  )
}

function SocialLinks({ form }: { form: BrandForm }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string, options = {}) => t(`platform.client.brand_of_mail.${key}`, options)
  const networkName = (network: SocialNetwork) => t(`platform.client.brand_of_mail.networks.${network}`)
  const field = form.field('brand_socials')
  const socials = form.values.brand_socials
  const change = (index: number, next: Partial<Socials[number]>) =>
    field.set(socials.map((one, at) => (at === index ? { ...one, ...next } : one)))
  return (
    <Input.Wrapper id={field.id} labelElement="div" label={field.label} error={field.error}>
      {socials.map(({ network, url }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- links have no key, and a network can occur twice
        <Group key={index} gap="xs" mb="xs" wrap="nowrap">
          <NativeSelect
            aria-label={text('social_network')}
            data={socialNetworks.map(value => ({ value, label: networkName(value) }))}
            value={network}
            onChange={event => {
              const chosen = socialNetworks.find(one => one === event.currentTarget.value)
              if (chosen) change(index, { network: chosen })
            }}
          />
          <TextInput
            flex={1}
            aria-label={`${text('social_url')} (${networkName(network)})`}
            placeholder="https://"
            maxLength={brandLimits.url}
            value={url}
            onChange={event => change(index, { url: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={text('social_remove', { network: networkName(network) })}
            onClick={() => field.set(socials.filter((_, at) => at !== index))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} />}
        disabled={socials.length >= brandLimits.socials}
        onClick={() => {
          const unused = socialNetworks.find(network => socials.every(one => one.network !== network))
          field.set([...socials, { network: unused ?? 'web', url: '' }])
        }}
      >
        {text('social_add')}
      </Button>
    </Input.Wrapper>
  )
}

function BrandSample({ values }: { values: ReturnType<typeof brandValues> }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`platform.client.brand_of_mail.${key}`)
  const button: CSSProperties = {
    display: 'inline-block',
    padding: '10px 20px',
    color: values.button_text_color,
    background: values.button_color,
    borderRadius: values.radius,
  }
  return (
    <div
      role="img"
      aria-label={text('sample')}
      style={{
        padding: 20,
        color: values.text_color,
        background: values.background,
        fontFamily: values.font,
      }}
    >
      <div style={{ padding: 20, background: '#ffffff', borderBlockStart: `4px solid ${values.color}` }}>
        {values.logo_url !== '' && (
          <img src={values.logo_url} alt="" style={{ display: 'block', maxWidth: 160, maxHeight: 60 }} />
        )}
        <div style={{ fontFamily: values.heading_font, fontSize: 22, fontWeight: 700, marginBlock: 8 }}>
          {text('sample_heading')}
        </div>
        <div style={{ marginBlockEnd: 16 }}>{text('sample_text')}</div>
        <span style={button}>{text('sample_button')}</span>
      </div>
    </div>
  )
}

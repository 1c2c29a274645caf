import { initialValues } from '@emma/contract/resource-schemas.ts'
import { webform } from '@emma/contract/resources/webform.ts'
import type { DemoWebform } from '../demo-records.ts'
import { daysBack } from './random.ts'
import { common, firstKey, type Seeding } from './seeding.ts'

/** A form of the first datasource; the demo serves no public page. */
export function seedWebforms({ texts, random, now, person }: Seeding): DemoWebform[] {
  const views = random.between(2000, 4000)
  const submissions = Math.round(views * 0.12)
  const hash = '1-demodemodemodemodemode'
  return [
    {
      ...common(daysBack(now, 60), person.id),
      ...initialValues(webform),
      webform_id: firstKey,
      name: 'Newsletter',
      member_table_id: firstKey,
      domain_id: firstKey,
      fields: ['email', 'firstname'].map(column => ({
        column,
        label: {},
        required: column === 'email',
        hidden: false,
        default: null,
        prefill: false,
        step: 1,
      })),
      texts: { en: { title: texts.datasources[0] ?? 'Newsletter' } },
      consent: {
        en: 'I would like to receive the newsletter by email. I can unsubscribe at any time.',
        de: 'Ich möchte den Newsletter per E-Mail erhalten. Ich kann mich jederzeit abmelden.',
      },
      consent_version: 1,
      hash,
      url: `https://forms.example/f/${hash}`,
      views,
      starts: submissions * 2,
      submissions,
      confirmed: Math.round(submissions * 0.8),
    },
  ]
}

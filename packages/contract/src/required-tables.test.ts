import { expect, test } from 'vitest'
import { requiredOfAlert } from './resources/alert.ts'
import { requiredToStart } from './resources/campaign.ts'
import { client } from './resources/client.ts'
import { requiredOfMailbox } from './resources/imap-login.ts'
import { ipci } from './resources/ipci.ts'
import { message, requiredOfTemplate } from './resources/message.ts'
import { motd } from './resources/motd.ts'
import { requiredOfRecurring } from './resources/recurring.ts'
import { user } from './resources/user.ts'
import { webform } from './resources/webform.ts'

test('R282 campaigns, templates, users, clients and messages of the day have the required fields', () => {
  expect(requiredToStart).toEqual([
    'name',
    'domain_id',
    'mailclass_id',
    'message_id',
    'list_id',
    'fromadr',
    'startdate',
  ])
  expect(requiredOfTemplate).toEqual(['name', 'subject', ['body_mjml', 'body_long', 'body_text']])
  expect(user.required.create).toEqual(['firstname', 'lastname', 'email', 'username', 'roles', 'clients'])
  expect(client.required.create).toEqual(['name', 'contact_email', 'language', 'timezone'])
  const perLanguage = ['en', 'de', 'es'].flatMap(language => [`title_${language}`, `body_${language}`])
  expect([...motd.required.create].toSorted()).toEqual([...perLanguage, 'startdate'].toSorted())
})

test('R282 web forms have the required fields', () => {
  expect(webform.required.create).toEqual(['name', 'member_table_id', 'domain_id', 'fields'])
})

test('R282 test mailboxes and placement checks have the required fields', () => {
  expect(requiredOfMailbox).toEqual(['email', 'setting_id', 'username', 'password'])
  expect(ipci.required.create).toEqual(['name', 'login_ids', 'domain_id', 'mailclass_id', 'message_id'])
})

test('R282 every required field of a form exists in its resource', () => {
  for (const field of requiredOfTemplate.flat()) expect(Object.keys(message.fields)).toContain(field)
})

test('R282 recurring campaigns have the required fields', () => {
  expect(requiredOfRecurring).toEqual([
    'name',
    'domain_id',
    'message_id',
    'list_id',
    'fromadr',
    'schedule',
    ['mailclass_id', 'esp_id'],
  ])
})

test('R282 alerts have the required fields, one of the two addresses among them', () => {
  expect(requiredOfAlert).toEqual(['name', 'metric', 'threshold', ['notify_email', 'notify_sms']])
})

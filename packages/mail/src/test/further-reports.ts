import {
  DAEMON,
  fields,
  type LabelledMail,
  ORIGINAL,
  other,
  prose,
  recipient,
  report,
} from './labelled-mail.ts'

const TITLE = 'Undelivered Mail Returned to Sender'

/** A rejection as quoted in a report. */
function refused(name: string, status: string, said: string, reason: string, hard = false): LabelledMail {
  return report(
    name,
    fields(DAEMON, TITLE, ['Not delivered.'], recipient(status, `smtp; ${said}`)),
    reason,
    hard,
  )
}

function absent(name: string, subject: string, header: string[] = []): LabelledMail {
  const lines = prose(
    'Anna <anna@example.net>',
    subject,
    ['…'],
    ['Return-Path: <anna@example.net>', ...header],
  )
  return other(name, lines, 'auto-reply')
}

/** More servers, gateways and languages. */
export const furtherReports: readonly LabelledMail[] = [
  report(
    'postal',
    prose('Mail Delivery Service <postmaster@postal.example.org>', 'Mail Delivery Failed (Spring)', [
      "The message you've sent cannot be delivered.",
      '',
      'Message Token: 8xKd2@c17',
      'Orginal Message ID: c17.m4@example.com',
      'Mail from: b-tok@bounce.example.com',
      'Rcpt To: anna@example.net',
      '',
      'Permanent SMTP delivery error when sending to mx.example.net:25 (550 No such user here)',
    ]),
    'bad-mailbox',
    true,
  ),
  report(
    'momentum expired',
    prose('Mail Delivery System <MAILER-DAEMON@mom.example.org>', 'Mail Delivery Failure', [
      'A message that you sent could not be delivered to one or more of its',
      'recipients. This is a permanent error. The following address(es) failed:',
      '',
      '>>> anna@example.net: [internal] exceeded max time without delivery',
    ]),
    'connection',
    false,
  ),
  report(
    'momentum unknown',
    prose('Mail Delivery System <MAILER-DAEMON@mom.example.org>', 'Mail Delivery Failure', [
      'The following address(es) failed:',
      '',
      '>>> anna@example.net (after RCPT TO): 550 5.1.1 Recipient address not valid here',
    ]),
    'bad-mailbox',
    true,
  ),
  report(
    'firstclass',
    prose('postmaster@fc.example.org', 'NDN: Spring', [
      'Sorry. Your message could not be delivered to:',
      '',
      'anna,example (The name was not found at the remote site.)',
      '',
      'anna@example.net',
    ]),
    'bad-mailbox',
    true,
  ),
  report(
    'ftgate size',
    prose('FTGate <postmaster@ftg.example.org>', 'Delivery failure', [
      'The following message could not be delivered to anna@example.net.',
      '',
      '  The size of the message is greater than the maximum allowed by the recipient (10240 KB)',
    ]),
    'content',
    false,
  ),
  report(
    'exim unknown after data',
    prose('Mail Delivery System <Mailer-Daemon@ex.example.org>', 'Mail delivery failed', [
      'The following address(es) failed:',
      '',
      '  anna@example.net',
      '    host mx.example.net [198.51.100.1]',
      '    SMTP error from remote mail server after end of data:',
      '    550 Account not found at this server',
      '',
      '------ This is a copy of the message, including all the headers. ------',
      '',
      ...ORIGINAL,
    ]),
    'bad-mailbox',
    true,
  ),
  refused('alias', '5.0.0', '550 unknown or illegal alias: anna@example.net', 'bad-mailbox', true),
  refused(
    'left',
    '5.0.0',
    '550 This employee has left us; the address is no longer in use',
    'bad-mailbox',
    true,
  ),
  refused('borrowed words', '5.0.0', '550 User unknown', 'filtered'),
  refused('quota in numbers', '5.0.0', '554 The account has used 5120 of 5120 MB', 'quota'),
  refused('members', '5.7.1', '550 5.7.1 Recipient only accepts mail from authenticated members', 'policy'),
  report(
    'quota used up',
    prose('<postmaster@surge.example.org>', 'Mail failure (Spring)', [
      'Surgemail was unable to deliver your message.',
      '',
      '  Destination: anna@example.net',
      '  Error: 452 Quota for this user has been used up, message refused',
    ]),
    'quota',
    false,
  ),
  report(
    'slovak domain',
    prose('MAILER-DAEMON@sk.example.org', 'Nedoručená správa', [
      'Vašu správu sa nepodarilo doručiť príjemcovi:',
      '',
      '<anna@example.net>: 5.1.2 doména príjemcu neexistuje',
    ]),
    'bad-domain',
    true,
  ),
  absent('vietnamese absence', 'Trả lời tự động: Spring'),
  absent('thai absence', 'ตอบกลับอัตโนมัติ: Spring'),
  absent('arabic absence', 'رد تلقائي: Spring'),
  absent('hebrew absence', 'מענה אוטומטי: Spring'),
  absent('indonesian absence', 'Balasan otomatis: Spring'),
  absent('croatian absence', 'Automatski odgovor: Spring'),
  other(
    'an answer without a return path',
    prose(
      'Anna <anna@example.net>',
      'Spring',
      ['Back on Monday.'],
      ['Return-Path: <>', 'In-Reply-To: <c17.m4@example.com>'],
    ),
    'auto-reply',
  ),
  other(
    'a person about an error',
    prose(
      'Anna <anna@example.net>',
      'Mail to my colleague',
      ['Hi, I forwarded your offer to bob@example.net and got 550 5.1.1 User unknown. Is there a limit?'],
      ['Return-Path: <anna@example.net>'],
    ),
    'other',
  ),
]

import { DAEMON, type LabelledMail, ORIGINAL, other, POSTMASTER, prose, report } from './labelled-mail.ts'

/** Messages about delivery that are not reports about ours, next to similar reports. */
export const notices: readonly LabelledMail[] = [
  notice('a full mailbox of ours', POSTMASTER, 'Your mailbox is almost full', [
    'Your mailbox has reached 95 % of its quota. When it is full, new messages will be returned to the sender.',
  ]),
  notice('a quarantine', POSTMASTER, 'Quarantine notification', [
    'The following messages were blocked and have not been delivered to your inbox:',
    'From: spammer@example.net  Subject: Win',
  ]),
  notice('a moderated list', POSTMASTER, 'Message moderation', [
    'Your message to list@example.net awaits approval by the moderator; it has not been delivered yet.',
  ]),
  notice('a parcel without a return path', 'Shop <service@example.net>', 'Delivery failed: parcel 0034', [
    'We were unable to deliver your parcel. The delivery failed because nobody was home.',
  ]),
  notice('an alert about a rate of failures', 'Alerts <alerts@example.net>', 'Mail delivery failure rate', [
    'We were unable to deliver 12 messages in the last hour.',
  ]),
  notice('a list of the queue', 'root <root@mx.example.net>', 'Cron <root@mx> mailq', [
    '4BzX 1234 news@example.com (host mx.example.net[192.0.2.1] said: 450 4.2.0 greylisted)',
    '  anna@example.net',
  ]),
  notice(
    'an answer of a postmaster',
    'Postmaster <postmaster@example.net>',
    'Re: your mails to our users',
    ['Hello,', 'your mails to anna@example.net could not be delivered because our filter was wrong.'],
    ['Return-Path: <postmaster@example.net>'],
  ),
  notice(
    'a link with an address in it, from a sender that claims to be a mail system',
    'Mail Admin <helpdesk@example.net>',
    'Undelivered messages: action required',
    ['7 messages could not be delivered. Review: https://example.net/?u=anna@example.net'],
    ['Return-Path: <x@example.net>'],
  ),
  other(
    'somebody who left, without a return path',
    prose('Anna <anna@example.net>', 'Your message', [
      'I am no longer with the firm; mail to anna@example.net is not delivered. Please write to bob@example.net.',
    ]),
    'auto-reply',
  ),
  other(
    'a German read receipt',
    [
      'Return-Path: <>',
      'From: Eva <anna@example.net>',
      'Subject: Gelesen: Rechnung',
      'Content-Type: multipart/report; report-type=disposition-notification; boundary="=_r"',
      '',
      '--=_r',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'Ihre Nachricht wurde gelesen.',
      '',
      '--=_r',
      'Content-Type: message/disposition-notification',
      '',
      'Final-Recipient: rfc822;anna@example.net',
      'Disposition: manual-action/MDN-sent-automatically; displayed',
      '',
      '--=_r--',
    ],
    'delivered',
  ),
  report(
    'a refusal by the filter of a mailbox (Sieve)',
    [
      'Return-Path: <>',
      `From: ${DAEMON}`,
      'Subject: Automatically rejected mail',
      'Content-Type: multipart/report; report-type=disposition-notification; boundary="=_s"',
      '',
      '--=_s',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'Your message to <anna@example.net> was automatically rejected:',
      'refused by the recipient',
      '',
      '--=_s',
      'Content-Type: message/disposition-notification',
      '',
      'Final-Recipient: rfc822; anna@example.net',
      'Disposition: automatic-action/MDN-sent-automatically; deleted',
      '',
      '--=_s',
      'Content-Type: message/rfc822',
      '',
      ...ORIGINAL,
      '',
      '--=_s--',
    ],
    'filtered',
    false,
  ),
  report(
    'a postmaster who names the mailbox',
    prose(POSTMASTER, 'Your message', [
      'Your message to anna@example.net could not be delivered: no such mailbox.',
    ]),
    'bad-mailbox',
    true,
  ),
  report(
    'a temporary failure without a word of retries',
    prose(DAEMON, 'Delivery status notification: warning', [
      'A message is delayed for more than 4 hours for the following list of recipients:',
      '',
      'anna@example.net: 450 4.4.1 Connection timed out',
      '',
      'Please note that this is only a temporary failure report.',
      'The message is kept in the queue for up to 4 days.',
      'You DO NOT NEED to re-send the message to these recipients.',
    ]),
    'connection',
    false,
    'delayed',
  ),
  report(
    'a German warning',
    prose(POSTMASTER, 'Warnung: Ihre Nachricht ist noch nicht zugestellt', [
      'Ihre Nachricht an anna@example.net konnte seit 6 Stunden nicht zugestellt werden.',
      'Das ist nur eine Warnung; die Zustellung wird noch 3 Tage lang versucht.',
    ]),
    'connection',
    false,
    'delayed',
  ),
]

function notice(
  name: string,
  from: string,
  subject: string,
  body: string[],
  header?: string[],
): LabelledMail {
  return other(name, prose(from, subject, body, header), 'other')
}

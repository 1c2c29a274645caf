interface Report {
  from?: string
  recipient?: string
  /** Header fields of the reported message. */
  original?: string
  feedbackType?: string
}

/** Builds a complaint as a feedback loop sends it (RFC 5965). */
export function complaintReport({
  from = 'feedback@loop.example',
  recipient = 'ann@gmx.test',
  original = '',
  feedbackType = 'abuse',
}: Report = {}): Buffer {
  const lines = [
    `From: Feedback Loop <${from}>`,
    'To: fbl@bounce.example.com',
    'Subject: Complaint about message from 192.0.2.1',
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report;',
    '\tboundary="report"',
    '',
    '--report',
    'Content-Type: text/plain',
    '',
    'This is an e-mail abuse report.',
    '--report',
    'Content-Type: message/feedback-report',
    '',
    `Feedback-Type: ${feedbackType}`,
    'User-Agent: Loop/1.0',
    'Version: 1',
    ...(recipient === '' ? [] : [`Original-Rcpt-To: <${recipient}>`]),
    '',
    '--report',
    'Content-Type: message/rfc822',
    '',
    ...(original === '' ? [] : [original]),
    'From: news@example.com',
    'To: Ann <ann@gmx.test>',
    'Subject: News',
    '',
    'Hello',
    '--report--',
    '',
  ]
  return Buffer.from(lines.join('\r\n'))
}

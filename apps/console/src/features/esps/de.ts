export const de = {
  esps: {
    services: 'Versanddienste',
    names: {
      smtp: 'SMTP-Relay',
      ses: 'Amazon SES',
      mailgun: 'Mailgun',
      sendgrid: 'SendGrid',
      postmark: 'Postmark',
      sparkpost: 'SparkPost',
      brevo: 'Brevo',
      mailjet: 'Mailjet',
    },
    esp_login: {
      new: 'Neuer Zugang',
      subtitle: 'Zugänge, über die Kampagnen und Mailklassen senden können.',
      empty_title: 'Noch kein Zugang bei {{service}}',
      empty_text:
        'Mit einem Zugang können Kampagnen und Mailklassen über diesen Dienst senden. Sein Schlüssel wird verschlüsselt aufbewahrt und nie wieder angezeigt.',
      refused: 'Abgelehnt',
      refused_title: 'Der Dienst lehnt diesen Zugang ab',
      refused_text:
        'Seit {{time}}: {{reply}} Speichern Sie die richtigen Daten, damit er wieder versucht wird.',
      secret_kept: 'Leer lassen, um den hinterlegten Wert zu behalten',
      copy_hook: 'Adresse für Webhooks kopieren',
      fields: {
        name: 'Name',
        active: 'Aktiv',
        state: 'Zustand',
        host: 'Server',
        port: 'Port',
        tls: 'Verschlüsselung',
        username: 'Benutzer oder Schlüssel-ID',
        secret: 'Passwort oder API-Schlüssel',
        region: 'Region',
        domain: 'Versanddomain',
        stream: 'Message-Stream',
        configuration_set: 'Konfigurationssatz',
        base_url: 'Adresse der API',
        webhook_secret: 'Schlüssel der Webhooks',
      },
      tls: { none: 'Keine', starttls: 'STARTTLS', tls: 'TLS' },
      access: {
        smtp: 'Server und Anmeldung des Relays. Ohne Benutzernamen wird nicht angemeldet.',
        ses: 'Access Key ID, Secret Access Key und Region eines AWS-Benutzers, der E-Mails senden darf.',
        mailgun: 'Der API-Schlüssel und die Domain, wie Mailgun sie kennt.',
        sendgrid: 'Ein API-Schlüssel mit dem Recht, Mails zu senden.',
        postmark: 'Das API-Token des Servers.',
        sparkpost: 'Ein API-Schlüssel, der Transmissions nutzen darf.',
        brevo: 'Ein API-Schlüssel (v3).',
        mailjet: 'API-Schlüssel und geheimer Schlüssel.',
      },
      hints: {
        active: 'Nur über aktive Zugänge werden Mails gesendet.',
        domain: 'Die Domain, für die der Dienst sendet.',
        region: 'eu für Konten in Europa, sonst leer.',
        region_ses: 'Die AWS-Region, zum Beispiel eu-central-1.',
        stream: 'Leer: der Stream namens outbound.',
        configuration_set:
          'Der Konfigurationssatz, dessen Ereignisziel an SNS veröffentlicht. Ohne ihn kommen Bounces und Beschwerden hier nicht an. Öffnungs- und Klick-Tracking darin ausschalten.',
        base_url: 'Nur wenn sie von der des Dienstes abweicht.',
        webhook_secret: 'Womit der Dienst seine Webhooks signiert. Ohne ihn werden sie abgelehnt.',
      },
      sections: {
        general: 'Allgemein',
        general_text: 'Der Name, der dort erscheint, wo der Zugang zur Wahl steht.',
        access: 'Zugang',
        webhook: 'Rückläufer und Beschwerden',
        webhook_text:
          'Lassen Sie den Dienst an diesen Pfad Ihres Tracking-Hosts melden: Zustellungen, Rückläufer und Beschwerden zählen dann, als hätten wir sie selbst erfahren.',
      },
    },
    esp_sendfromid: {
      new: 'Neuer Absender',
      subtitle: 'Adressen, die der Dienst bestätigt hat. Bei Kampagnen mit anderem Absender wird gewarnt.',
      empty_title: 'Noch keine Absender',
      empty_text:
        'Tragen Sie die Adressen ein, von denen der Dienst Sie senden lässt. Solange es keine gibt, wird jeder Absender genommen.',
      is_verified: 'Bestätigt',
      not_verified: 'Nicht bestätigt',
      email_fault: 'Bitte geben Sie eine vollständige E-Mail-Adresse ein.',
      fields: {
        login_id: 'Zugang',
        from_email: 'Absenderadresse',
        from_name: 'Absendername',
        reply_to: 'Antworten an',
        external_id: 'ID beim Dienst',
        verified: 'Bestätigt',
      },
      hints: {
        external_id: 'Wie der Dienst diesen Absender nennt.',
        verified: 'Der Dienst hat bestätigt, dass Mails von dieser Adresse kommen dürfen.',
      },
      sections: {
        sender: 'Absender',
        sender_text: 'Von wem die Mail kommt, und über welchen Zugang.',
        service: 'Beim Dienst',
        service_text: 'Was der Dienst über diesen Absender sagt.',
      },
    },
    esp_replacer: {
      new: 'Neue Ersetzung',
      subtitle:
        'Was in Mails, die Kampagnen über diesen Dienst senden, an die Stelle eines Platzhalters tritt.',
      empty_title: 'Noch keine Ersetzungen',
      empty_text:
        'Manche Dienste füllen eigene Platzhalter aus. Nennen Sie einen Platzhalter, den Sie in Vorlagen schreiben, und was dieser Dienst an seiner Stelle sehen will.',
      fields: { search: 'Unser Platzhalter', replace: 'Platzhalter des Dienstes', order: 'Reihenfolge' },
      hints: {
        search: 'Genau so, wie er in Betreff oder Text steht.',
        replace: 'Leer: der Platzhalter fällt weg.',
        order: 'Kleinere Zahlen werden zuerst ersetzt.',
      },
      sections: {
        replacer: 'Ersetzung',
        replacer_text:
          'Gilt für Betreff, Preheader, HTML und Text von Kampagnen, die einen Zugang dieses Dienstes nennen.',
      },
    },
  },
}

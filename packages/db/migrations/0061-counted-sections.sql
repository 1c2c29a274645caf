-- Members who are shown none of a message's counted sections get no mail.
ALTER TYPE skip_reason ADD VALUE 'no_content';

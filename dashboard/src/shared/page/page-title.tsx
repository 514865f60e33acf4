import { useEffect } from 'react';
import { Title } from 'ra-ui-materialui';
import { useText } from '../../i18n/i18n.ts';

/** What is shown, in the reader's language: over the page, and as the name of its tab and in the history. */
export function PageTitle({ title }: { title: string }) {
  const t = useText();
  useEffect(() => {
    document.title = `${title} · ${t('title')}`;
  }, [title, t]);
  return <Title title={title} preferenceKey={false} />;
}

import { useEffect } from 'react';
import { Title } from 'ra-ui-materialui';
import { useText } from '../../i18n/i18n.ts';

/** Sets the title above the page, and that of the browser tab and history entry. */
export function PageTitle({ title }: { title: string }) {
  const t = useText();
  useEffect(() => {
    document.title = `${title} · ${t('title')}`;
  }, [title, t]);
  return <Title title={title} preferenceKey={false} />;
}

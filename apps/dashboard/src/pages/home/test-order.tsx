import { t } from '../../kit/texts.ts';
import { buttonClass } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { EnvLink } from '../../ui/env-link.tsx';

export const orderExample = (base: string): string => `curl ${base}/s2s/v1/orders \\
  -H "Authorization: Bearer $S2S_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"player_id":"player-1","items":[{"sku":"sword"}]}'`;

/** How to make the first order. */
export const TestOrder = () => (
  <div className="grid gap-3">
    <p className="max-w-[65ch]">{t('checklist.orderAbout')}</p>
    <CodeBlock text={orderExample(location.origin)} label={t('checklist.order')} />
    <div>
      <EnvLink to="integration/keys" className={buttonClass({ look: 'primary', size: 'small' })}>
        {t('checklist.orderDo')}
      </EnvLink>
    </div>
  </div>
);

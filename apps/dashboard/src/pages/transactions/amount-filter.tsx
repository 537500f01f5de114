import { useState } from 'react';
import { useFilters } from '../../kit/filters.ts';
import { amountRangeOf } from '../../kit/money.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

/** An amount means nothing without its currency, so both are chosen together. */
export function AmountFilter({ currencies, close }: { currencies: readonly string[]; close(): void }) {
  const [filters, change] = useFilters();
  const [first = '', last = ''] = (filters.amount ?? '').split('..');
  const [from, setFrom] = useState(first);
  const [to, setTo] = useState(last);
  const [currency, setCurrency] = useState(filters.currency ?? currencies[0] ?? 'USD');
  const [wasTried, setTried] = useState(false);
  const amount = amountRangeOf(from, to);
  return (
    <Form
      className="grid gap-3"
      onSubmit={() => {
        setTried(true);
        if (amount === undefined) return;
        change({ amount, currency });
        close();
      }}
    >
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label={t('amount.from')}
          inputMode="decimal"
          value={from}
          onChange={({ target }) => setFrom(target.value)}
        />
        <TextField
          label={t('amount.to')}
          inputMode="decimal"
          value={to}
          onChange={({ target }) => setTo(target.value)}
        />
      </div>
      <SelectField
        label={t('column.currency')}
        value={currency}
        error={wasTried && amount === undefined ? t('amount.needed') : undefined}
        onChange={({ target }) => setCurrency(target.value)}
      >
        {[...new Set([...currencies, currency])].map(code => (
          <option key={code}>{code}</option>
        ))}
      </SelectField>
      <Button type="submit" look="primary" size="small">
        {t('filter.apply')}
      </Button>
    </Form>
  );
}

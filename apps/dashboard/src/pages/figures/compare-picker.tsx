import { useFilters } from '../../kit/filters.ts';
import { t } from '../../texts/texts.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { beforeFrom } from './figure-rows.ts';

/** Which earlier days the figures are compared with: those right before, a year before, or any others. */
export function ComparePicker({ from, earliest }: { from: string; earliest: string }) {
  const [{ compare }, change] = useFilters();
  const isOwn = compare !== undefined && compare !== 'year';
  return (
    <>
      <SelectField
        label={t('figures.compare')}
        value={isOwn ? 'own' : (compare ?? '')}
        onChange={({ target: { value } }) => change({ compare: value === 'own' ? earliest : value || undefined })}
      >
        <option value="">{t('figures.compare.previous')}</option>
        <option value="year">{t('figures.compare.year')}</option>
        <option value="own">{t('figures.compare.own')}</option>
      </SelectField>
      {isOwn && (
        <TextField
          type="date"
          label={t('figures.compare.from')}
          value={beforeFrom(compare, from) ?? ''}
          max={from}
          onChange={({ target: { value } }) => {
            if (value !== '') change({ compare: value });
          }}
        />
      )}
    </>
  );
}

interface CurrencySwitchProps {
  currencies: readonly string[];
  sum: string | null;
  value: string;
}

/** One switch for every amount on the page. */
export function CurrencySwitch({ currencies, sum, value }: CurrencySwitchProps) {
  const [, change] = useFilters();
  if (currencies.length + (sum === null ? 0 : 1) < 2) return null;
  return (
    <SelectField
      label={t('column.currency')}
      value={value}
      onChange={({ target }) => change({ currency: target.value })}
    >
      {sum !== null && <option value="sum">{t('home.allIn', { currency: sum })}</option>}
      {currencies.map(one => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </SelectField>
  );
}

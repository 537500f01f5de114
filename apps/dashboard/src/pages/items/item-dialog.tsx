import type { Item } from '@coinslot/contract';
import { useState } from 'react';
import { call } from '../../kit/api.ts';
import { issueOf, otherProblem } from '../../kit/problems.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useAction } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { FormProblem } from '../../ui/form.tsx';
import { ItemImage } from '../../ui/images.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { type FormIssue, formOf, type ItemForm, inputOf, issuesOf } from './item-form.ts';

const CURRENCIES = [
  'USD',
  'EUR',
  'GBP',
  'JPY',
  'BRL',
  'PLN',
  'TRY',
  'INR',
  'KRW',
  'CAD',
  'AUD',
  'CHF',
  'SEK',
  'MXN',
  'IDR',
];

interface PartProps {
  form: ItemForm;
  set(patch: Partial<ItemForm>): void;
  issue(...codes: FormIssue[]): string | undefined;
}

const SaleFields = ({ form, set, issue }: PartProps) => (
  <fieldset className="grid gap-4 border-t border-line pt-4">
    <legend className="sr-only">{t('column.sale')}</legend>
    <div className="grid grid-cols-2 gap-4">
      <SelectField
        label={t('column.sale')}
        value={form.saleKind}
        onChange={({ target }) => set({ saleKind: target.value as ItemForm['saleKind'] })}
      >
        {(['none', 'percent', 'price'] as const).map(kind => (
          <option key={kind} value={kind}>
            {t(`items.sale.${kind}`)}
          </option>
        ))}
      </SelectField>
      {form.saleKind !== 'none' && (
        <TextField
          label={t(form.saleKind === 'percent' ? 'items.percentOff' : 'items.salePrice')}
          inputMode="decimal"
          value={form.saleValue}
          error={issue('sale_number', 'sale_price')}
          onChange={({ target }) => set({ saleValue: target.value })}
        />
      )}
    </div>
    {form.saleKind !== 'none' && (
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          type="datetime-local"
          label={t('items.saleFrom')}
          hint={t('items.saleFromHint')}
          value={form.saleFrom}
          onChange={({ target }) => set({ saleFrom: target.value })}
        />
        <TextField
          type="datetime-local"
          label={t('items.saleTo')}
          hint={t('items.saleToHint')}
          value={form.saleTo}
          error={issue('sale_order')}
          onChange={({ target }) => set({ saleTo: target.value })}
        />
      </div>
    )}
  </fieldset>
);

const PriceFields = ({ form, set, issue }: PartProps) => (
  <div className="grid grid-cols-2 gap-4">
    <TextField
      label={t('column.price')}
      hint={t('items.priceHint')}
      inputMode="decimal"
      value={form.price}
      error={issue('price_number')}
      onChange={({ target }) => set({ price: target.value })}
    />
    <TextField
      label={t('column.currency')}
      list="item-currencies"
      maxLength={3}
      value={form.currency}
      error={issue('price_currency')}
      onChange={({ target }) => set({ currency: target.value.toUpperCase() })}
    />
    <datalist id="item-currencies">
      {CURRENCIES.map(code => (
        <option key={code} value={code} />
      ))}
    </datalist>
  </div>
);

const TextFields = ({ form, set }: Pick<PartProps, 'form' | 'set'>) => (
  <>
    <TextField
      label={t('column.name')}
      value={form.name}
      maxLength={255}
      onChange={e => set({ name: e.target.value })}
    />
    <TextArea
      label={t('items.description')}
      value={form.description}
      maxLength={2_000}
      onChange={({ target }) => set({ description: target.value })}
    />
  </>
);

const ImageField = ({ form, set, error }: Pick<PartProps, 'form' | 'set'> & { error: string | undefined }) => (
  <div className="flex items-start gap-4">
    <ItemImage url={form.image_url || null} className="mt-6 size-10" />
    <div className="flex-1">
      <TextField
        type="url"
        label={t('items.picture')}
        hint={t('items.pictureHint')}
        value={form.image_url}
        error={error}
        onChange={({ target }) => set({ image_url: target.value })}
      />
    </div>
  </div>
);

/** Adds an item when `item` is null. */
export function ItemDialog({ item, onClose }: { item: Item | null; onClose(): void }) {
  const scope = useEnv();
  const [form, setForm] = useState(() => formOf(item));
  const [wasTried, setTried] = useState(false);
  const set = (patch: Partial<ItemForm>): void => setForm(before => ({ ...before, ...patch }));
  const save = useAction(
    () =>
      item
        ? call('PUT /dashboard/api/games/{game_id}/{mode}/items/{sku}', {
            params: { ...scope, sku: item.sku },
            body: inputOf(form),
          })
        : call('POST /dashboard/api/games/{game_id}/{mode}/items', {
            params: scope,
            body: { sku: form.sku.trim(), ...inputOf(form) },
          }),
    { quiet: true, done: saved => t('items.saved', { name: saved.name ?? saved.sku }), after: onClose },
  );
  const found = wasTried ? issuesOf(form) : [];
  const issue = (...codes: FormIssue[]): string | undefined => {
    const code = found.find(one => codes.includes(one));
    return code && t(`items.issue.${code}`);
  };
  const submit = (): void => {
    setTried(true);
    if (issuesOf(form).length === 0) save.mutate();
  };
  return (
    <Dialog
      title={item ? t('items.edit') : t('items.add')}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" look="primary" busy={save.isPending}>
            {item ? t('dialog.save') : t('items.addDo')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {!item && (
          <TextField
            label={t('items.sku')}
            hint={t('items.skuHint')}
            error={issue('sku_needed')}
            value={form.sku}
            maxLength={255}
            onChange={({ target }) => set({ sku: target.value })}
          />
        )}
        <TextFields form={form} set={set} />
        <ImageField form={form} set={set} error={issueOf(save.error, '/image_url')} />
        <PriceFields {...{ form, set, issue }} />
        <SaleFields {...{ form, set, issue }} />
        <FormProblem text={otherProblem(save.error, '/image_url')} />
      </div>
    </Dialog>
  );
}

import { t } from '../../kit/texts.ts';
import { Page } from '../../ui/page.tsx';
import { DeliveriesList } from './deliveries-list.tsx';
import { DeliveryCharts } from './delivery-charts.tsx';

export const DeliveriesPage = () => (
  <Page title={t('nav.deliveries')} about={t('deliveries.about')}>
    <div className="border-t border-line py-6">
      <DeliveryCharts />
    </div>
    <DeliveriesList />
  </Page>
);

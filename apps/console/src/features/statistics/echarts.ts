/** Only what the charts of statistics need of ECharts; loaded with the first picture. */
import { BarChart, LineChart, PieChart } from 'echarts/charts';
import { GridComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';

use([BarChart, LineChart, PieChart, GridComponent, TooltipComponent, CanvasRenderer]);

export type { ECharts, EChartsCoreOption } from 'echarts/core';
export { init };

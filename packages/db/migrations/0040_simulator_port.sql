-- The port of the carrier simulator that the demo gave this supplier. While `port` still equals it, the supplier follows
-- the simulator to another port; a port that an operator chose stays. Null: no supplier of the demo.
alter table supplier add column simulator_port integer;
update supplier set simulator_port = port
where supplier_account in ('globe-1', 'smart-1', 'dito-1') and host = '127.0.0.1';

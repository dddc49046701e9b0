-- us          0          10         20         30
-- stream 7    [graph 5  0-8]        [graph 6 20-29]
-- nodes                             [a 20-24][b 25-29]
-- stream 20       [all-reduce 4-10]
-- Graph 5 was recorded whole, of graph 6 the nodes were recorded too.
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1, 'a'), (2, 'b'), (3, 'ncclDevKernel_AllReduce');
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER,
  streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER,
  graphNodeId INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
  (4000, 10000, 0, 20, 1, 16777216000, 3, NULL),
  (20000, 24000, 0, 7, 3, 16777216000, 1, 81), (25000, 29000, 0, 7, 3, 16777216000, 2, 82);
CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, end INTEGER,
  deviceId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER,
  graphId INTEGER, graphExecId INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES
  (0, 8000, 0, 7, 2, 16777216000, 5, 50), (20000, 29000, 0, 7, 3, 16777216000, 6, 60);
